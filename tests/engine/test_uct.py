import pytest

import quatuor
from quatuor.engine.uct import Search


def played(name, moves, **settings):
    game = quatuor.new(name, **settings)
    for move in moves:
        game.play(move)
    return game


def favourite(search):
    return max(search.children().items(), key=lambda item: item[1][0])[0]


def test_the_same_seed_grows_the_same_tree_in_any_steps():
    game = quatuor.new("plus4", "endless")
    whole, cut = Search(game, seed=4), Search(game, seed=4)
    whole.run(3000)
    for part in (1, 999, 2000):
        cut.run(part)
    assert whole.children() == cut.children()
    other = Search(game, seed=5)
    other.run(3000)
    assert other.children() != whole.children()


def test_it_wins_at_once():
    search = Search(played("plus4", "ababab"), seed=1)
    search.run(500)
    assert favourite(search) == 0  # a fourth blue pawn in column a


def test_it_parries():
    search = Search(played("plus4", "acada"), seed=1)  # blue threatens a
    search.run(20000)
    assert search.game.legal()[favourite(search)] == "a"


def test_every_seat_plays_for_itself():
    search = Search(quatuor.new("blokus"), seed=1)
    search.run(2000)
    children = search.children()
    assert sum(visits for visits, _, _ in children.values()) == 2000
    assert all(0 <= mean <= 1 for _, mean, _ in children.values())


@pytest.mark.usefixtures("interpreted")
def test_it_sees_the_third_occurrence():
    game = played("ring", "+-+")  # "-" brings back the start for the third time: a draw
    search = Search(game, seed=1)
    search.run(2000)
    (_, back, node), (_, on, _) = search.children()[6], search.children()[1]
    assert back == pytest.approx(0.5, abs=0.01)
    assert on < back  # from place 2 the other one wins at once
    assert search.children(node) == {}


def test_it_plays_on_when_nodes_run_out():
    search = Search(quatuor.new("plus4"), seed=1, nodes=20)
    search.run(1000)
    assert sum(visits for visits, _, _ in search.children().values()) == 1000


def test_a_line_can_be_played():
    game = quatuor.new("plus4", "rounds")
    search = Search(game, seed=2)
    search.run(5000)
    line = search.line(favourite(search))
    assert len(line) > 2
    for action in line:
        assert action in game.actions()
        game.play_actions({game.to_move[0]: action})


def test_it_keeps_the_statistics_of_a_later_position():
    game = quatuor.new("plus4", "endless")
    search = Search(game, seed=3)
    search.run(5000)
    action = favourite(search)
    visits, _, node = search.children()[action]
    answer, below = max((visits, action) for action, (visits, _, _) in search.children(node).items())[::-1]
    grown = search.children(search.children(node)[answer][2])
    for each in (action, answer):
        game.play_actions({game.to_move[0]: each})
    assert search.advance(game)
    assert search.done == below < visits
    kept = {action: (visits, mean) for action, (visits, mean, _) in search.children().items()}
    assert kept == {action: (visits, mean) for action, (visits, mean, _) in grown.items()}
    search.run(1000)
    assert sum(finding.visits for finding in search.found().values()) == below + 1000 - 1  # its own first visit
    assert sum(finding.weight for finding in search.found().values()) == pytest.approx(1)


def test_it_does_not_take_another_game_for_a_later_position():
    game = played("plus4", "ab", variant="endless")
    search = Search(game, seed=3)
    search.run(500)
    assert not search.advance(quatuor.new("plus4", "endless"))  # an earlier one
    assert not search.advance(played("plus4", "bab", variant="endless"))
    assert not search.advance(played("plus4", "aba", variant="endless", target=3))
    assert not search.advance(played("plus4", "abab"))
    assert search.advance(played("plus4", "abab", variant="endless"))
    assert search.game.ply == 4


@pytest.mark.usefixtures("interpreted")
def test_it_refuses_games_that_it_cannot_search():
    with pytest.raises(ValueError, match="at once"):
        Search(quatuor.new("trois_six")).run(1)
    with pytest.raises(ValueError, match="over"):
        Search(played("plus4", "abababa"))
