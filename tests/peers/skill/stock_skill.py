"""A skill as OVOS users have them, made with the stock ovos-workshop of the environment that it runs in.

It greets, asks a question and goes on with a conversation; the test named `peers` starts it on a bus and talks to it.
"""
import argparse
import threading

from ovos_bus_client import MessageBusClient
from ovos_workshop.skills.converse import ConversationalSkill
from ovos_workshop.skills.fallback import FallbackSkill

SKILL_ID = "stock.skill"


class StockSkill(ConversationalSkill):
    """Three intents and a memory of being talked to."""

    def initialize(self):
        """Registers the intents of the folder `locale`."""
        self.lingering = threading.Event()
        for name in ("greet", "quiz", "linger"):
            self.register_intent_file(f"{name}.intent", getattr(self, f"handle_{name}"))

    def handle_greet(self, message):
        """Says who was greeted: the slot arrives where skills look for it."""
        self.speak(f"Hello {message.data.get('name')}.")

    def handle_quiz(self, message):
        """Asks the person something in the middle of its work."""
        answer = self.get_response("Who are you?")
        self.speak(f"So you are {answer}.")

    def handle_linger(self, message):
        """Works until it is stopped."""
        self.lingering.clear()
        self.lingering.wait(30)

    def stop(self):
        """Ends what lingers."""
        self.lingering.set()
        return True

    def can_converse(self, message):
        """Wants to go on when it is told so."""
        return "go on" in message.data["utterances"][0].lower()

    def converse(self, message):
        """Goes on."""
        self.speak("On we go.")
        return True


class StockFallback(FallbackSkill):
    """Takes what has the word `teapot` in it."""

    def initialize(self):
        """Offers itself before general chat."""
        self.register_fallback(self.handle_teapot, 50)

    def can_answer(self, message):
        """Whether it is about teapots."""
        return "teapot" in message.data["utterances"][0].lower()

    def handle_teapot(self, message):
        """Answers."""
        self.speak("Short and stout.")
        return True


def main():
    """Connects, loads both skills, says so and stays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    bus = MessageBusClient(host="127.0.0.1", port=port, route="/core", ssl=False)
    bus.run_in_thread()
    if not bus.connected_event.wait(20):
        raise SystemExit(f"the bus on port {port} does not answer")
    skills = [StockSkill(bus=bus, skill_id=SKILL_ID), StockFallback(bus=bus, skill_id="stock.fallback")]
    print(f"{len(skills)} stock skills are loaded", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
