"""Times hassil: how long a language takes to load, and how long each of its sentences takes to be read.

Usage: peer.py SEED SENTENCES LANGUAGE. The home has a thousand names. It prints the home, the times to load and the size of
what was loaded as a line of JSON, then of each sentence the text, its time in milliseconds, and what was read.
"""
import json
import pathlib
import random
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tests" / "community"))
import hassil
from home_assistant_intents import get_intents
from peer import AREAS, DOMAINS, FLOORS, Drawer, lists, told

ROOMS = "kitchen bedroom office cellar attic garage hall garden study bathroom".split()
THINGS = "lamp spot strip heater plug blind fan sensor speaker lock".split()


def resident():
    """The memory of this process in kilobytes."""
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def main():
    seed, count, language = sys.argv[1:]
    names = [f"{room} {thing} {number}" for number in range(10) for room in ROOMS for thing in THINGS]
    of = {
        "names": [[name, DOMAINS[at % len(DOMAINS)]] for at, name in enumerate(names)],
        "areas": [*AREAS, *ROOMS],
        "floors": FLOORS,
    }
    before, began = resident(), time.perf_counter()
    intents = hassil.Intents.from_dict(get_intents(language))
    for intent in intents.intents.values():
        for block in intent.data:
            for sentence in block.sentences:
                sentence.get_required_clauses(intents.expansion_rules)
    loading = (time.perf_counter() - began) * 1000
    print(json.dumps({**of, "loading": loading, "kilobytes": resident() - before}))
    chance = random.Random(f"{seed} {language}")
    drawer = Drawer(language, lists(of), chance)
    texts = [drawer.text() if at % 5 else drawer.broken() for at in range(int(count))]
    given = {"slot_lists": {key: drawer.lists[key] for key in ("name", "area", "floor")}, "language": language}
    given.update(intent_context={"area": "kitchen"}, best_slot_name="name")
    hassil.recognize_best("warm up", intents, **given)
    for text in texts:
        began = time.perf_counter()
        best = hassil.recognize_best(text, intents, **given)
        spent = (time.perf_counter() - began) * 1000
        print(json.dumps({"text": text, "spent": spent, "best": best and told(best)}))


if __name__ == "__main__":
    main()
