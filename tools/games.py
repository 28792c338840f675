"""The page docs/games.md: every game, its variants and options, from the registry. The docs build calls it."""

from pathlib import Path
from typing import Any

from quatuor.games.catalogue import games

PAGE = Path(__file__).resolve().parent.parent / "docs" / "games.md"
HEAD = """# Games, variants, options

What `quatuor.new(game, variant, option=value, …)`, `quatuor play GAME:VARIANT --option NAME=VALUE` and the page offer.
The first variant of a game is what you get unless you name one.
"""


def values(option: dict[str, Any]) -> str:
    """What an option may be set to, the default first where the values have names."""
    if option["kind"] == "choice":
        return ", ".join(f"`{value}` ({text['en']})" for value, text in option["values"].items())
    if option["kind"] == "number":
        none = f", or `none`: {option['none']['en']}" if option["none"] else ""
        return f"{option['low']} to {option['high']}{none}"
    return "text"


def page() -> str:
    """The whole page, as Markdown."""
    parts = [HEAD]
    for game in games():
        parts += [f"## {game['title']['en']}: `{game['name']}`\n", f"{game['text']['en']}\n"]
        parts += ["| variant | players | minutes | |", "|---|---|---|---|"]
        for variant in game["variants"]:
            low, high = variant["minutes"]
            minutes = f"{low}–{high}" if low != high else low
            what = f"{variant['title']['en']}. {variant['text']['en']}"
            parts.append(f"| `{variant['name']}` | {variant['seats']} | {minutes} | {what} |")
        parts += ["", "| option | default | values | |", "|---|---|---|---|"]
        for option in game["options"]:
            default = "none" if option["default"] is None else option["default"]
            where = f" ({', '.join(option['variants'])})" if option["variants"] else ""
            parts.append(f"| `{option['name']}` | `{default}` | {values(option)} | {option['text']['en']}{where} |")
        parts.append("")
    return "\n".join(parts)


def on_pre_build(config: Any) -> None:
    """Called by the docs build; writes the page if it has changed."""
    text = page()
    if not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    on_pre_build(None)
