"""The ReAct loop of ovos-agentic-loop as the peer of `make bench-answers`, with its own clock and calculator.

Usage: ask_loop.py '{"api_url": "http://127.0.0.1:PORT/v1", "instructions": "TEXT"}'

Reads one question a line from standard input and answers each with one line; an answer that failed is empty. The brain's
plugin waits a minute for a reply, unless the question is patient:

    {"question": "What is 2 plus 2?", "lang": "en-US", "patient": false}
    {"answer": "It is 4.", "brain_calls": 2, "observations": ["result=4.0 expression='2+2' error=''"]}
"""
import contextlib
import json
import logging
import sys

logging.disable(logging.CRITICAL)

from ovos_agentic_loop import factory
from ovos_openai_plugin import api
from ovos_openai_plugin.chat import OpenAIChatEngine
from ovos_plugin_manager.templates.agents import AgentMessage, MessageRole
from ovos_utils.log import LOG

LOG.set_level("CRITICAL")

# As many calls as Loquat's persona allows.
STEPS = 6
# Seconds for each reply to a patient question.
PATIENCE = 1200


@contextlib.contextmanager
def patience():
    """The plugin has no setting for how long it waits."""
    impatient = api.requests.post
    api.requests.post = lambda *arguments, **named: impatient(*arguments, **{**named, "timeout": PATIENCE})
    try:
        yield
    finally:
        api.requests.post = impatient


class Brain(OpenAIChatEngine):
    """Counts how often it is asked."""

    calls = 0

    def continue_chat(self, *arguments, **named):
        self.calls += 1
        return super().continue_chat(*arguments, **named)


class Loop(factory.ReActLoopEnginePlugin):
    """Remembers what its tools brought."""

    observations = ()

    def _call_tool(self, *arguments):
        observation = super()._call_tool(*arguments)
        self.observations.append(observation)
        return observation


def main():
    settings = json.loads(sys.argv[1])
    # Without the permission the plugin drops the loop's own instructions.
    brain = Brain(config={"api_url": settings["api_url"], "key": "none", "model": "local", "allow_system_prompts": True})
    loop = Loop(config={"toolboxes": ["ovos-clock-tools", "ovos-math-tools"], "max_iterations": STEPS})
    if len(loop.toolboxes) != 2:
        sys.exit("the toolboxes of ovos-agentic-loop are not installed")
    loop.set_brain(brain)
    for line in sys.stdin:
        asked = json.loads(line)
        brain.calls, loop.observations = 0, []
        messages = [AgentMessage(MessageRole.SYSTEM, settings["instructions"]),
                    AgentMessage(MessageRole.USER, asked["question"])]
        try:
            with patience() if asked["patient"] else contextlib.nullcontext():
                answer = loop.continue_chat(messages, lang=asked["lang"], units="metric").content or ""
        except Exception as error:
            print(f"the loop failed: {error}", file=sys.stderr, flush=True)
            answer = ""
        answered = {"answer": answer, "brain_calls": brain.calls, "observations": loop.observations}
        print(json.dumps(answered), flush=True)


main()
