"""Every clause has a line that implements it and a test that proves it."""

from pathlib import Path

from tools import clauses

ROOT = Path(__file__).parent.parent


def test_every_clause_has_code_and_tests():
    games = clauses.read(ROOT)
    assert set(games) == {"3/6", "Blokus", "Plateau X", "Plus 4"}
    assert clauses.missing(games) == []


def write(root, path, text):
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


def small_project(root, code="# ZZ-1, ZZ-2", test="def test_ZZ_1_ZZ_2_both(): ..."):
    write(root, "docs/rules/zz.md", "# Zed: the rules\n\n- ZZ-1 [R] One.\n  - ZZ-2 [D] Two, unlike ZZ-1.\n")
    write(root, "quatuor/games/zz/rules.py", f"x = 1\n{code}\n")
    write(root, "tests/test_zz.py", f"{test}\n")
    return root


def test_the_page_names_lines_and_tests(tmp_path):
    assert clauses.write(small_project(tmp_path)) == []
    page = (tmp_path / "docs/clauses.md").read_text()
    assert "## Zed\n" in page
    assert (
        "### ZZ-2\n\n[D] Two, unlike ZZ-1.\n\n"
        "- Code: `quatuor/games/zz/rules.py` 2\n- Tests: `test_ZZ_1_ZZ_2_both`\n" in page
    )


def test_missing_code_and_tests_are_listed(tmp_path):
    root = small_project(tmp_path, code="# ZZ-1, ZZ-22", test="def test_ZZ_12_ZZ_2(): ...")
    assert clauses.write(root) == ["ZZ-1: no test: [R] One.", "ZZ-2: no code: [D] Two, unlike ZZ-1."]
    root = small_project(tmp_path, code="", test="# ZZ-1 is named in a comment only")
    assert clauses.write(root) == [
        "ZZ-1: no code and no test: [R] One.",
        "ZZ-2: no code and no test: [D] Two, unlike ZZ-1.",
    ]
