"""A toolbox in Python that tells its result piece by piece, works on behind its answer, and takes calls back.

It is the example of skills/ON_THE_BUS.md; a test of `real_peers` starts it. It knows nothing of Loquat but the extra keys
of its tools and the topics on which it tells more than one answer.
"""
import argparse
import threading
import time
import uuid

from ovos_bus_client import MessageBusClient

BOX = "telling-tools"
NOTHING = {"type": "object", "properties": {}}
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
ENTRY = {"type": "object", "properties": {"entry": {"type": "integer"}}, "required": ["entry"]}


def tool(name, description, arguments=NOTHING, output=TEXT, **more):
    """A tool as TOOLS-1 has it, and what else it can do."""
    return {"name": name, "description": description, "argument_schema": arguments, "output_schema": output,
            "toolbox_id": BOX, **more}


TOOLS = [
    tool("tell_story", "Tells a story.", streams=True, may_end_turn=True, progress_phrase="I remember one"),
    tool("back_up", "Backs the files up.", **{"async": True}),
    tool("write_entry", "Writes an entry.", TEXT, ENTRY, read_only=False, undo="remove_entry"),
    tool("remove_entry", "Removes an entry.", ENTRY, TEXT, read_only=False),
]


class TellingToolbox:
    """Answers discovery and calls on a bus."""

    def __init__(self, bus):
        self.bus = bus
        self.entries = []
        self.cancelled = set()
        bus.on("ovos.persona.tools.discover", self.discover)
        bus.on("ovos.persona.tools.call", self.call)
        bus.on("loquat.tool.cancel", lambda message: self.cancelled.add(message.data.get("started")))

    def discover(self, message):
        """Tells what there is."""
        self.bus.emit(message.response({"toolbox_id": BOX, "tools": TOOLS}))

    def call(self, message):
        """Runs a tool in a thread of its own, so that the bus is read meanwhile."""
        if message.data.get("toolbox_id") == BOX:
            threading.Thread(target=self.run, args=(message,), daemon=True).start()

    def run(self, message):
        """Exactly one answer, with a result or an error."""
        name, kwargs = message.data.get("name"), message.data.get("kwargs") or {}
        try:
            self.respond(message, getattr(self, name)(message, **kwargs))
        except Exception as error:  # what is wrong is for the model to read
            self.respond(message, {"error": f"{type(error).__name__}: {error}"})

    def respond(self, message, data):
        """The answer to a call."""
        self.bus.emit(message.response({"toolbox_id": BOX, **data}))

    def tell_story(self, message):
        """Pieces as they come. `reply` keeps the context of the call, by which it is known whose they are."""
        pieces = ["Once there was a fox. ", "It slept. ", "The end."]
        for number, text in enumerate(pieces):
            time.sleep(0.5)
            piece = {"toolbox_id": BOX, "name": "tell_story", "number": number, "text": text}
            self.bus.emit(message.reply("loquat.tool.piece", piece))
        return {"result": {"text": "".join(pieces)}}

    def back_up(self, message):
        """Says at once that it has begun, and later what came of it."""
        started = str(uuid.uuid4())
        threading.Thread(target=self.go_on, args=(message, started), daemon=True).start()
        return {"result": {"text": "started"}, "started": started}

    def go_on(self, message, started):
        """The work, and its outcome unless the caller does not want it any more."""
        time.sleep(2)
        if started not in self.cancelled:
            outcome = {"toolbox_id": BOX, "name": "back_up", "started": started,
                       "result": {"text": "Twelve files are safe."}}
            self.bus.emit(message.reply("loquat.tool.outcome", outcome))

    def write_entry(self, message, text):
        """What its result is called is what `remove_entry` takes."""
        self.entries.append(text)
        return {"result": {"entry": len(self.entries) - 1}}

    def remove_entry(self, message, entry):
        """Takes `write_entry` back."""
        return {"result": {"text": self.entries.pop(entry)}}


def main():
    """Connects, serves, says so and stays."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    port = parser.parse_args().port
    bus = MessageBusClient(host="127.0.0.1", port=port, route="/core", ssl=False)
    bus.run_in_thread()
    if not bus.connected_event.wait(20):
        raise SystemExit(f"the bus on port {port} does not answer")
    TellingToolbox(bus)
    print(f"the toolbox {BOX} is bound", flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()
