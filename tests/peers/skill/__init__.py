"""The same stock skill for the stock launcher, which gives a skill a process of its own and loads it when told so."""
from ovos_workshop.skills.ovos import OVOSSkill


class LaunchedSkill(OVOSSkill):
    """One intent of the folder `locale`."""

    def initialize(self):
        """Registers it."""
        self.register_intent_file("greet.intent", self.handle_greet)

    def handle_greet(self, message):
        """Says who was greeted."""
        self.speak(f"Hello {message.data.get('name')}.")
