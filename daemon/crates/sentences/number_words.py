"""Writes the words of numbers of every language of the community's sentences, as CLDR spells them out.

Usage: pip install unicode-rbnf==2.4.1 hassil==3.12.1 home-assistant-intents==2026.10.27, then number_words.py. It writes
src/number_words/words.txt: of each language the numbers that the lists of its sentences hold, each with all its spellings.

A line `=LANGUAGE LANGUAGE` begins the languages that share what follows. Every other line is a number and its spellings,
separated by tabs. A spelling begins with how many letters it shares with the one before it, as one letter from `0` on.
"""
import pathlib

from hassil.numbers import get_rbnf_engine
from home_assistant_intents import get_languages

OUT = pathlib.Path(__file__).parent / "src" / "number_words" / "words.txt"
HALVES = [whole + part for whole in range(101) for part in (0, 0.5)]
HUNDREDS = range(1000, 10001, 100)
BREAKS = str.maketrans("-_", "  ")


def spellings(engine, number):
    """The ways to say a number, each once; a hyphen may also be a space."""
    said = engine.format_number(number).text_by_ruleset.values()
    return dict.fromkeys(way for words in said for way in (words, words.translate(BREAKS)))


def rows(language):
    """The lines of a language, or none where CLDR spells nothing out."""
    try:
        engine = get_rbnf_engine(language)
        numbers = {number: spellings(engine, number) for number in (*HALVES, *HUNDREDS)}
    except ValueError:
        return ""
    before, lines = "", []
    for number, ways in numbers.items():
        fields = [f"{number:g}"]
        for way in ways:
            shared = next((at for at, (a, b) in enumerate(zip(before, way)) if a != b), min(len(before), len(way)))
            shared = min(shared, 70)
            fields.append(chr(48 + shared) + way[shared:])
            before = way
        lines.append("\t".join(fields))
    return "".join(line + "\n" for line in lines)


def main():
    languages = {}
    for language in get_languages():
        languages.setdefault(rows(language), []).append(language)
    text = "".join(f"={' '.join(names)}\n{lines}" for lines, names in languages.items() if lines)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
