"""Draws sentences from the community's templates, breaks some of them, and tells how hassil reads each.

Usage: peer.py SEED DRAWN BROKEN LANGUAGE...; DRAWN and BROKEN are for each language. It prints the home as a line of
JSON, then a line for each sentence: the language, the text, what hassil reads best, and all that it reads.
"""
import json
import random
import sys

import hassil
from hassil.expression import Alternative, Group, ListReference, Permutation, RuleReference, TextChunk
from hassil.intents import RangeSlotList, TextSlotList, WildcardSlotList
from hassil.numbers import get_rbnf_engine
from home_assistant_intents import get_intents

# The package gives its module's name to a function.
MODULE = sys.modules["hassil.recognize"]
DOMAINS = (
    "light switch fan cover lock media_player climate vacuum lawn_mower person valve scene script todo weather sensor "
    "binary_sensor button input_boolean automation siren humidifier remote water_heater"
).split()
NAMES = ("Ceiling", "big one", "Anna-Maria", "Nr. 5", "l'été", "Küche Ost", "灯 二", "living room lamp", "Büro_links")
AREAS = ("Living Room", "living", "Küche", "Entrée", "office-west", "客厅", "5")
FLOORS = ("first floor", "First", "Erdgeschoß", "一 楼")
WORDS = ("milk", "the song", "5 apples", "Queen - live", "to my list", "café", "a b c", "on", "牛奶", "one more time")
CONTEXTS = ({"area": "Küche"}, {"area": "Living Room"}, {})


def home():
    """Names of every domain: some shared, some longer forms of others."""
    names = [(f"{name} {domain}" if at % 2 else name, domain) for domain in DOMAINS for at, name in enumerate(NAMES)]
    return {"names": [[name, domain] for name, domain in names], "areas": AREAS, "floors": FLOORS}


def lists(of):
    """The home's lists as hassil takes them."""
    plain = hassil.util.remove_punctuation
    named = [(plain(hassil.normalize_text(name)).strip(), name, {"domain": domain}) for name, domain in of["names"]]
    places = {
        key: [(plain(hassil.normalize_text(name)).strip(), name) for name in of[f"{key}s"]] for key in ("area", "floor")
    }
    return {
        "name": hassil.TextSlotList.from_tuples(named, allow_template=False),
        **{key: hassil.TextSlotList.from_tuples(value, allow_template=False) for key, value in places.items()},
    }


class OwnStep(int):
    """A step that is like no other. hassil keeps the words of two ranges as one if they differ in nothing but the multiplier;
    then "louder by twenty" may mean minus twenty after "quieter by twenty" was said."""

    def __hash__(self):
        return hash(("own", int(self)))


class Drawer:
    """Draws texts of one language."""

    def __init__(self, language, slot_lists, chance):
        self.chance = chance
        self.intents = hassil.Intents.from_dict(get_intents(language))
        self.lists = {**self.intents.slot_lists, **slot_lists}
        for one in self.lists.values():
            if isinstance(one, RangeSlotList) and one.multiplier is not None:
                one.step = OwnStep(one.step)
        self.skip_words = [word for word in self.intents.skip_words if not hassil.is_template(word)]
        self.blocks = [block for intent in self.intents.intents.values() for block in intent.data]
        try:
            self.engine = get_rbnf_engine(language)
        except ValueError:
            self.engine = None

    def text(self):
        """A text that some template may read."""
        block = self.chance.choice(self.blocks)
        self.domains = block.requires_context.get("domain", [])
        text = self.draw(self.chance.choice(block.sentences).expression)
        if self.skip_words and self.chance.random() < 0.15:
            words = text.split(" ")
            words.insert(self.chance.randrange(len(words) + 1), self.chance.choice(self.skip_words))
            text = " ".join(words)
        change = self.chance.random()
        if change < 0.1:
            text = text.upper() if change < 0.03 else text.capitalize()
        if change > 0.85:
            text = f"  {text.replace(' ', '  ', 1)}{self.chance.choice('.?!,')}"
        return text

    def draw(self, piece):
        """What a piece of a template may say."""
        if isinstance(piece, TextChunk):
            return piece.original_text
        if isinstance(piece, Alternative):
            return self.draw(self.chance.choice(piece.items))
        if isinstance(piece, Permutation):
            return "".join(map(self.draw, self.chance.sample(piece.items, len(piece.items))))
        if isinstance(piece, Group):
            return "".join(map(self.draw, piece.items))
        if isinstance(piece, RuleReference):
            return self.draw(self.intents.expansion_rules[piece.rule_name].expression)
        assert isinstance(piece, ListReference)
        return self.value(self.lists[piece.list_name])

    def value(self, values):
        """What a list may say."""
        if isinstance(values, WildcardSlotList):
            return self.chance.choice(WORDS)
        if isinstance(values, TextSlotList):
            fitting = [one for one in values.values if not one.context or one.context["domain"] in self.domains]
            return self.draw(self.chance.choice(fitting or values.values).text_in)
        assert isinstance(values, RangeSlotList)
        number = self.chance.choice(list(values.get_numbers()))
        if self.engine is None or self.chance.random() < 0.6:
            return f"{number:g}"
        return self.chance.choice(list(self.engine.format_number(number).text_by_ruleset.values()))

    def broken(self):
        """A text with a slip in it."""
        text = self.text()
        words = text.split(" ")
        at = self.chance.randrange(len(words))
        letter = self.chance.randrange(len(text)) if text else 0
        slips = (
            lambda: words[:at] + words[at + 1 :],
            lambda: words[:at] + [words[at]] + words[at:],
            lambda: words[:at] + words[at + 1 :] + [words[at]],
            lambda: words[:at] + [self.chance.choice(WORDS)] + words[at:],
            lambda: words[:at] + ["".join(words[at : at + 2])] + words[at + 2 :],
            lambda: words[:at] + ["-".join(words[at : at + 2])] + words[at + 2 :],
            lambda: words[:at] + ["_".join(words[at : at + 2])] + words[at + 2 :],
            lambda: (text[:letter] + text[letter + 1 :]).split(" "),
            lambda: (text[:letter] + self.chance.choice("aeins'-,. 5") + text[letter:]).split(" "),
            lambda: words[:at] + [self.chance.choice(("101", "-5", "0", "20.5", "3,7", "1050"))] + words[at + 1 :],
        )
        return " ".join(self.chance.choice(slips)())


def told(result):
    """A result as intent and slots."""
    slots = {name: entity.value for name, entity in result.entities.items()}
    return {"intent": result.intent.name, "slots": slots}


def main():
    seed, drawn, broken, *languages = sys.argv[1:]
    of = home()
    print(json.dumps(of))
    for language in languages:
        chance = random.Random(f"{seed} {language}")
        drawer = Drawer(language, lists(of), chance)
        texts = [drawer.text() for _ in range(int(drawn))] + [drawer.broken() for _ in range(int(broken))]
        for text in texts:
            context = chance.choice(CONTEXTS)
            given = {"slot_lists": {key: drawer.lists[key] for key in ("name", "area", "floor")}}
            given.update(intent_context=dict(context), language=language)
            results = list(hassil.recognize_all(text, drawer.intents, **given))
            everything = MODULE.recognize_all
            MODULE.recognize_all = lambda *_, **__: iter(results)
            best = MODULE.recognize_best(text, drawer.intents, best_slot_name="name")
            MODULE.recognize_all = everything
            line = {"language": language, "text": text, "context": context, "best": best and told(best)}
            line["said"] = best and {name: entity.text.strip() for name, entity in best.entities.items()}
            print(json.dumps({**line, "all": [told(result) for result in results]}))


if __name__ == "__main__":
    main()
