"""Stages of ovos-core's pipeline that ask a Loquat on the same bus whether an utterance is for one of its personas.

They match and do nothing else: what a match leads to is dispatched over the bus and done by Loquat. Where no Loquat
answers, they decline, and the pipeline goes on as if they were not there.
"""
import threading
import uuid

from ovos_bus_client.session import Session, SessionManager
from ovos_plugin_manager.templates.pipeline import IntentHandlerMatch, PipelinePlugin

SKILL_ID = "loquat"
QUESTION = "loquat.match"
ANSWER = "loquat.match.response"

# Loquat answers in a millisecond and the bus takes 44 at worst; whoever speaks to a device without it waits for this.
PATIENCE_SECONDS = 0.3


class PersonaStage(PipelinePlugin):
    """The commands by which people choose a persona, and everything for a session that has summoned one."""

    pipeline_id = "loquat"

    def __init__(self, bus=None, config=None):
        super().__init__(bus, config)
        self._rounds = {}
        self.bus.on(ANSWER, self._answered)

    def match(self, utterances, lang, message):
        """Whose the utterance is according to Loquat; None where it is nobody's of its own."""
        found = self._ask(utterances, lang, message)
        if not found:
            return None
        return IntentHandlerMatch(
            match_type=f"{SKILL_ID}:{found['intent_name']}",
            match_data=found.get("slots") or {},
            skill_id=SKILL_ID,
            utterance=found.get("utterance") or utterances[0],
            updated_session=_changed(message, found),
        )

    def shutdown(self):
        """Listens no more."""
        self.bus.remove(ANSWER, self._answered)

    def _ask(self, utterances, lang, message):
        name, answered = uuid.uuid4().hex, threading.Event()
        self._rounds[name] = [answered, None]
        data = {"round": name, "pipeline_id": self.pipeline_id, "utterances": utterances, "lang": lang}
        try:
            self.bus.emit(message.reply(QUESTION, data))
            answered.wait(PATIENCE_SECONDS)
        finally:
            _, found = self._rounds.pop(name)
        return found

    def _answered(self, message):
        waiting = self._rounds.get(message.data.get("round"))
        if waiting:
            waiting[1] = message.data.get("match")
            waiting[0].set()


class PersonaFallbackStage(PersonaStage):
    """What no skill wanted, for the default persona; it stands before the last fallback stage."""

    pipeline_id = "loquat-fallback"


def _changed(message, found):
    """A copy of the session with the persona that the match summons or dismisses; None where it stays as it is."""
    if "persona_id" not in found:
        return None
    session = Session.deserialize(SessionManager.get(message).serialize())
    session.persona_id = found["persona_id"]
    return session
