"""A voice and a voice satellite for a real Home Assistant, by the Wyoming protocol. Every sentence that is to be spoken, and
everything that sounds at the satellite, becomes a line of JSON in a file. Makes no speech: each sentence is a tone.
"""

import array
import asyncio
import json
import math
import threading
import urllib.request

RATE = 16000
SECONDS = 0.3
SATELLITE = "Kitchen Satellite"
# As Home Assistant calls the voice.
VOICE = "tts.tone"
NOBODY = {"name": "Loquat", "url": "http://localhost"}
SPOKEN = {"rate": RATE, "width": 2, "channels": 1}


def artifact(name, **more):
    return {"name": name, "attribution": NOBODY, "installed": True, "description": name, "version": "1", **more}


NOTHING = {"asr": [], "tts": [], "handle": [], "intent": [], "wake": []}
SPEAKER = {**NOTHING, "tts": [artifact("Tone", voices=[artifact("tone", languages=["en", "de"])])]}
ROOM = {**NOTHING, "satellite": artifact(SATELLITE, area="Kitchen", has_vad=False, active_wake_words=[], supports_trigger=False)}


def tone():
    wave = (int(9000 * math.sin(math.tau * 440 * place / RATE)) for place in range(int(RATE * SECONDS)))
    return array.array("h", wave).tobytes()


async def events(reader):
    """Each event as its type, what it tells, and its sound."""
    while line := await reader.readline():
        event = json.loads(line)
        data = event.get("data") or {}
        if length := event.get("data_length"):
            data |= json.loads(await reader.readexactly(length))
        yield event["type"], data, await reader.readexactly(event.get("payload_length") or 0)


def tell(writer, kind, data, sound=b""):
    header = {"type": kind, "data": data, "payload_length": len(sound)}
    writer.write(json.dumps(header).encode() + b"\n" + sound)


class Voices:
    """Both, each at a port of its own, until the program ends."""

    def __init__(self, file):
        self.file = file
        self.file.write_text("")
        self.ports = []
        self.are_there = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self.serve()), daemon=True).start()
        if not self.are_there.wait(30):
            raise SystemExit("the voices for Home Assistant do not start")

    async def serve(self):
        servers = [await asyncio.start_server(peer, "127.0.0.1", 0) for peer in (self.voice, self.satellite)]
        self.ports = [server.sockets[0].getsockname()[1] for server in servers]
        self.are_there.set()
        await asyncio.gather(*(server.serve_forever() for server in servers))

    def note(self, **what):
        with self.file.open("a") as file:
            file.write(json.dumps(what) + "\n")

    async def voice(self, reader, writer):
        async for kind, data, _ in events(reader):
            if kind == "describe":
                tell(writer, "info", SPEAKER)
            elif kind == "synthesize":
                self.note(spoken=data["text"])
                tell(writer, "audio-start", SPOKEN)
                tell(writer, "audio-chunk", SPOKEN, tone())
                tell(writer, "audio-stop", {})
            await writer.drain()
        writer.close()

    async def satellite(self, reader, writer):
        heard = 0
        async for kind, data, sound in events(reader):
            if kind == "describe":
                tell(writer, "info", ROOM)
            elif kind == "ping":
                tell(writer, "pong", data)
            elif kind == "audio-start":
                heard = 0
            elif kind == "audio-chunk":
                heard += len(sound)
            elif kind == "audio-stop":
                self.note(satellite=SATELLITE, heard=heard)
                tell(writer, "played", {})
            await writer.drain()
        writer.close()

    def join(self, url, token):
        """Adds them to a Home Assistant by its owner's token. `assistant.py` has its own assistant speak by this voice."""
        for port in self.ports:
            flow = post(url, token, "config/config_entries/flow", {"handler": "wyoming"})
            entered = {"host": "127.0.0.1", "port": port}
            made = post(url, token, f"config/config_entries/flow/{flow['flow_id']}", entered)
            if made.get("type") != "create_entry":
                raise SystemExit(f"Home Assistant does not take the voices: {made}")


def post(url, token, path, data):
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{url}/api/{path}", json.dumps(data).encode(), headers)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return json.load(answer)
