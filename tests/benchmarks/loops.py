"""The engines of ovos-agentic-loop as a subject of `make bench-loops`.

Reads one job a line from standard input and answers each with one line, as `bench_loops subject` does for our engines:

    {"kind": "react", "brain": null, "brain_calls": 10, "delay_ms": 0, "turns": 300, "at_once": 1}
    {"wall": 0.7, "laps": [0.0023, ...], "brain_calls": 3000, "wrong": 0}

`brain` is the address of a model server, or null for a scripted brain in this process that answers after `delay_ms`.
"""
import json
import logging
import sys
import threading
import time

logging.disable(logging.CRITICAL)

from ovos_agentic_loop import factory
from ovos_plugin_manager.templates.agent_tools import AgentTool, ToolArguments, ToolBox, ToolOutput
from ovos_plugin_manager.templates.agents import AgentMessage, ChatEngine, MessageRole, ToolCall
from ovos_openai_plugin.chat import OpenAIChatEngine
from ovos_utils.log import LOG
from pydantic import Field

LOG.set_level("CRITICAL")

ENGINES = {
    "react": factory.ReActLoopEnginePlugin,
    "native": factory.NativeToolCallEnginePlugin,
    "tools": factory.NativeToolCallEnginePlugin,
    "tree": factory.TreeOfThoughtsEnginePlugin,
}
SLOW_SECONDS = 0.2
SLOW_CALLS = 4
ANSWER = "That is all."


class Sum(ToolArguments):
    a: float = Field(..., description="First number.")
    b: float = Field(..., description="Second number.")


class Summed(ToolOutput):
    sum: float = Field(..., description="a plus b.")


class Text(ToolArguments):
    text: str = Field(..., description="Text to repeat.")


class Repeated(ToolOutput):
    text: str = Field(..., description="The same text.")


class Query(ToolArguments):
    query: str = Field(..., description="What to look up.")


class Found(ToolOutput):
    result: str = Field(..., description="What was found.")


class Wait(ToolArguments):
    number: int = Field(..., description="Which of several.")


class Waited(ToolOutput):
    number: int = Field(..., description="The same number.")


def wait(arguments):
    time.sleep(SLOW_SECONDS)
    return Waited(number=arguments.number)


class Tools(ToolBox):
    """The same four tools as on the other side."""

    def discover_tools(self):
        return [
            AgentTool("add", "Add two numbers.", Sum, Summed, lambda a: Summed(sum=a.a + a.b)),
            AgentTool("echo", "Repeat a text.", Text, Repeated, lambda a: Repeated(text=a.text)),
            AgentTool("lookup", "Look up a fact.", Query, Found, lambda a: Found(result="nothing")),
            AgentTool("wait", "Wait a little.", Wait, Waited, wait),
        ]


class Script(ChatEngine):
    """A brain whose reply depends on how often it has spoken in the conversation."""

    def __init__(self, job):
        super().__init__()
        self.job = job
        self.supports_tools = job["kind"] in ("native", "tools")
        self.calls = 0
        self.lock = threading.Lock()

    def continue_chat(self, messages, session_id="default", lang=None, units=None, tools=None):
        if self.job["delay_ms"]:
            time.sleep(self.job["delay_ms"] / 1000)
        with self.lock:
            self.calls += 1
            number = self.calls
        spoken = sum(1 for message in messages if message.role == MessageRole.ASSISTANT)
        return self.reply(messages, spoken, number)

    def reply(self, messages, spoken, number):
        say = lambda text: AgentMessage(MessageRole.ASSISTANT, text)
        call = lambda *calls: AgentMessage(MessageRole.ASSISTANT, "", tool_calls=list(calls))
        kind, last = self.job["kind"], spoken + 1 >= self.job["brain_calls"]
        if kind == "tree":
            return say("5" if messages[0].content.startswith("Rate") else f"Thought {number} goes on.")
        if kind == "tools":
            return say(ANSWER) if spoken else call(*(ToolCall(f"c{n}", "wait", {"number": n}) for n in range(SLOW_CALLS)))
        if kind == "native":
            return say(ANSWER) if last else call(ToolCall(f"c{spoken}", "add", {"a": spoken, "b": 1}))
        if last:
            return say(f"Thought: I know enough.\nFINAL_ANSWER: {ANSWER}")
        return say(f'Thought: I need a tool.\nAction: add\nAction Input: {{"a": {spoken}, "b": 1}}')


def brain_of(job):
    if not job["brain"]:
        return Script(job)
    brain = OpenAIChatEngine(config={"api_url": job["brain"], "key": "sk-scripted", "model": "scripted",
                                     "allow_system_prompts": True})
    brain.supports_tools = job["kind"] == "native"
    return brain


def run(job):
    """All turns of a job, each on a thread of its own where they run at once, as the package leaves no other way."""
    brain, laps, wrong = brain_of(job), [], []
    engine = ENGINES[job["kind"]](config={})
    engine.set_brain(brain)
    if job["kind"] != "tree":
        engine.load_toolboxes([Tools(toolbox_id="bench-tools")])

    def turn():
        began = time.perf_counter()
        answer = engine.continue_chat([AgentMessage(MessageRole.USER, "What comes next?")]).content
        laps.append(time.perf_counter() - began)
        if job["kind"] != "tree" and answer != ANSWER:
            wrong.append(answer)

    began = time.perf_counter()
    if job["at_once"] == 1:
        for _ in range(job["turns"]):
            turn()
    else:
        threads = [threading.Thread(target=turn) for _ in range(job["turns"])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return {"wall": time.perf_counter() - began, "laps": laps, "brain_calls": getattr(brain, "calls", 0),
            "wrong": len(wrong) + job["turns"] - len(laps)}


for line in sys.stdin:
    print(json.dumps(run(json.loads(line))), flush=True)
