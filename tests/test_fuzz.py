"""Hostile text as moves, records and option values: a clear refusal, and never any other exception."""

import functools
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import quatuor
from quatuor.games import names, rulebook
from quatuor.interop import gtp, sgf
from quatuor.interop.sgf_tree import SgfError
from quatuor.match.standings import ranking_of, worth
from quatuor.record import RecordError
from quatuor.record.endings import FORMER, TERMINATIONS
from tests.seeded import at, sample

CASES = [(name, variant.name) for name in names() for variant in rulebook(name).variants]
every_variant = pytest.mark.parametrize(("name", "variant"), CASES)
quick = settings(max_examples=60, deadline=None)

CHARACTERS = st.sampled_from(list('abcdefABCDEF0123456789*>@+-,./;:=[]" \t\n\\\0\x85\u2028é٣½²')) | st.characters()


@st.composite
def damaged(draw, text):
    """A text with a few characters taken out, put in, changed, doubled or swapped."""
    characters = list(text)
    for _ in range(draw(st.integers(1, 4))):
        i = draw(st.integers(0, len(characters)))
        how = draw(st.sampled_from(["out", "in", "change", "double", "swap"]))
        if how == "in" or i == len(characters):
            characters.insert(i, draw(CHARACTERS))
        elif how == "out":
            del characters[i]
        elif how == "change":
            characters[i] = draw(CHARACTERS)
        elif how == "double":
            characters.insert(i, characters[i])
        else:
            j = draw(st.integers(0, len(characters) - 1))
            characters[i], characters[j] = characters[j], characters[i]
    return "".join(characters)


def attempt(error, call, *arguments, **options):
    """The result and no refusal, or the refusal's text and the refusal; any other exception is a failure."""
    try:
        return call(*arguments, **options), None
    except error as refusal:
        return str(refusal), refusal


@functools.cache
def positions(name, variant):
    game = sample(name, variant, 1)
    return [at(game, ply) for ply in range(0, game.ply, 1 + game.ply // 10)]


@every_variant
def test_any_text_is_a_legal_move_or_is_refused(name, variant):
    @quick
    @given(st.data())
    def one_text(data):
        position = data.draw(st.sampled_from(positions(name, variant)))
        seat = data.draw(st.sampled_from(position.to_move))
        move = data.draw(st.sampled_from(position.legal(seat)))
        text = data.draw(damaged(move) | st.just(move).map(str.swapcase) | st.text(CHARACTERS, max_size=30))
        found, refusal = attempt(quatuor.IllegalMove, position.book.read, position.state, seat, text)
        if refusal:
            assert len(found) > 10
            assert text not in position.legal(seat)
        elif len(position.to_move) == 1:
            assert found in position.actions(seat)
        else:  # an order may be impossible without being an error
            assert position.book.write(position.state, seat, found).lower() == text.lower()

    one_text()


@functools.cache
def valid_record(name, variant):
    game = sample(name, variant, 2)
    return at(game, min(game.ply, 12)).record(seats=("Zoë", 'a "b"\\', "x;y", "-")[: game.seats], date="2026-11-15")


def lines_shuffled(text):
    """The lines of a record in another order, some of them missing or twice."""
    return st.lists(st.sampled_from(text.splitlines()), max_size=30).map("\n".join)


@every_variant
def test_a_damaged_record_is_refused_with_its_line_and_the_reason(name, variant):
    valid = valid_record(name, variant)
    assert quatuor.load(valid).record() == valid

    @quick
    @given(damaged(valid) | lines_shuffled(valid) | st.text(CHARACTERS))
    def one_record(text):
        found, refusal = attempt(RecordError, quatuor.load, text)
        if refusal:
            assert 1 <= refusal.line <= max(1, len(text.splitlines()))
            assert found.startswith(f"line {refusal.line}: ")
        else:
            again = quatuor.load(found.record())
            assert (again.moves, again.options) == (found.moves, found.options)

    one_record()


HEADERS = ("Variant", "Options", "Seat0", "Seat1", "Seat9", "Date", "Result", "Termination", "Out", "Event", "game")
ODD = ["", "*", "1", "0", "0,1", "1,0", "-1", "1-2", "2-1", "1-1", "2-2", "1-3", "1-2-3-4", "\u0661-\u0662", "?", "\0"]


def with_odd_headers(text):
    """A record in which some headers are missing and others have values that Quatuor never writes."""
    known = [*ODD, *TERMINATIONS, *FORMER, "engine, level 3", "engine, level 9", "2026-13-45", "quiet_turns=none"]
    odd = st.dictionaries(st.sampled_from(HEADERS), st.sampled_from(known) | st.text(CHARACTERS, max_size=12))
    first, *rest = text.splitlines()
    own = [line for line in rest if line.startswith("[")]

    def rewritten(chosen, kept):
        names = [line.split()[0][1:] for line in own]
        lines = [line for line, name in zip(own, names, strict=True) if name in kept and name not in chosen]
        written = [f'[{name} "{value}"]' for name, value in chosen.items()]
        return "\n".join([first, *lines, *written, *(line for line in rest if line not in own)])

    return st.builds(rewritten, odd, st.sets(st.sampled_from([line.split()[0][1:] for line in own])))


@every_variant
def test_odd_headers_are_refused_or_everything_that_reads_a_record_can_use_it(name, variant):
    @quick
    @given(with_odd_headers(valid_record(name, variant)))
    def one_record(text):
        found, refusal = attempt(RecordError, quatuor.load, text)
        if refusal:
            assert 1 <= refusal.line <= max(1, len(text.splitlines()))
            return
        assert quatuor.load(found.record()).headers == {**found.headers, **quatuor.load(found.record()).headers}
        if found.over or "Termination" in found.headers:
            places = ranking_of(found)
            assert min(places) == 1
            assert len(worth(found, places)) == found.seats

    one_record()


VALUES = st.one_of(
    st.text(CHARACTERS, max_size=20),
    st.integers(),
    st.integers(-3, 120),
    st.integers(-3, 120).map(str),
    st.floats(),
    st.booleans(),
    st.none(),
    st.binary(max_size=4),
    st.lists(st.text(max_size=3), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
)


@every_variant
def test_any_option_value_is_understood_or_refused(name, variant):
    options = [o for o in rulebook(name).options if not o.variants or variant in o.variants]
    if not options:
        with pytest.raises(ValueError, match="its options: none"):
            quatuor.new(name, variant, speed="fast")
        return

    @quick
    @given(st.sampled_from(options), st.data())
    def one_value(option, data):
        known = [*getattr(option, "values", ()), option.default, "none"]
        value = data.draw(VALUES | st.sampled_from(known) | damaged(str(option.default)))
        found, refusal = attempt(ValueError, quatuor.new, name, variant, **{option.name: value})
        if refusal:
            assert found.startswith(f"{option.name}=")
        else:
            plain = found.options[option.name]
            assert json.loads(json.dumps(plain)) == plain
            assert quatuor.new(name, variant, **{option.name: plain}).options == found.options
            assert quatuor.load(found.record()).options == found.options

    one_value()


@every_variant
def test_unknown_names_are_refused_with_the_choices(name, variant):
    with pytest.raises(ValueError, match="no option 'nonsense'"):
        quatuor.new(name, variant, nonsense=1)
    with pytest.raises(ValueError, match=f"choose one of .*{variant}"):
        quatuor.new(name, variant + "x")
    with pytest.raises(ValueError, match=f"the games are .*{name}"):
        quatuor.new(name + "x")


# ---- other programs' formats


BLOKUS = pytest.mark.parametrize("variant", [variant.name for variant in rulebook("blokus").variants])


ODD_ROOTS = st.builds(
    "(;GM[{}]{}[{}];{}[{}])".format,
    st.sampled_from(["Blokus", "Blokus Duo", "Blokus Two-Player", ""]),
    st.sampled_from(["RU", "CA", "PL", "AE", "A1", "AB", "PB", "P1", "DT", "B", "1", "BLUE"]),
    st.sampled_from(["", "name=x", "variant=", "variant=large", "book=x", "self=1", "=", "corners=", "a20", "a20,a20"]),
    st.sampled_from(["B", "W", "1", "5", "AE", "PL", "C", "AB"]),
    st.sampled_from(["", "e10", "a20", "e8,d9,e9,f9,e10", "pass", "0", "\u0663"]),
)


@BLOKUS
def test_a_damaged_sgf_file_is_refused_with_its_place_and_the_reason(variant):
    valid = sgf.write(at(sample("blokus", variant, 2), 12), {0: "say [this]", 5: "\\ and ]"})
    assert str(sgf.read(valid)) == valid

    @quick
    @given(damaged(valid) | lines_shuffled(valid) | st.text(CHARACTERS).map("(;GM[Blokus]{}".format) | ODD_ROOTS)
    def one_file(text):
        found, refusal = attempt(SgfError, lambda: sgf.read(text).game())
        if refusal:
            assert 1 <= refusal.line <= text.count("\n") + text.count("\r") + 1
            assert found.startswith(f"line {refusal.line}, column {refusal.column}: ")
        else:
            again = sgf.read(sgf.write(found)).game()
            assert (again.view()["board"], again.to_move) == (found.view()["board"], found.to_move)

    one_file()


@pytest.mark.parametrize("rules", ["name=x", "book=x", "self=1", "variant=", "=x"])
def test_invalid_sgf_rules_are_refused(rules):
    with pytest.raises(SgfError, match="RU"):
        sgf.read(f"(;GM[Blokus]RU[{rules}])")


def test_a_deep_sgf_file_does_not_exhaust_the_stack():
    found = sgf.read("(;GM[Blokus]" + "(;C[x]" * 20_000 + ")" * 20_001)
    assert len(found.line()) == 20_001
    assert str(sgf.read(str(found))) == str(found)


class FirstMove:
    def choose(self, game):
        return game.legal()[0]


COLOURS = st.sampled_from(["1", "2", "3", "4", "b", "w", "blue", "GREEN", "5", "٣"])
COMMANDS = st.one_of(
    st.sampled_from([name for name in gtp.COMMANDS if name != "loadsgf"]),
    st.tuples(st.sampled_from(["play", "genmove", "reg_genmove", "all_legal", "7 play"]), COLOURS).map(" ".join),
    st.tuples(st.just("play"), COLOURS, st.sampled_from(["pass", "a20", "a20,b20", "e10", "t1,s1"])).map(" ".join),
    st.sampled_from(["set_game Blokus", "set_game Blokus Duo", "set_game Go", "loadsgf /nowhere", "loadsgf .", "g"]),
)


@pytest.mark.parametrize("game", gtp.GAMES)
def test_any_gtp_conversation_is_answered(game):
    @quick
    @given(st.lists(COMMANDS | COMMANDS.flatmap(damaged) | st.text(CHARACTERS), max_size=12))
    def one_conversation(lines):
        session = gtp.Session(game, FirstMove())
        for line in lines:
            answer = session.answer(line)
            assert answer == "" or answer[0] in "=?"
            assert answer == "" or answer.index("\n\n") == len(answer) - 2  # an empty line ends an answer
            if answer.startswith("?"):
                assert len(answer) > 10

    one_conversation()
