"""Home Assistant Assist as the peer of `make bench-voice`: a pipeline of wyoming-faster-whisper, Home Assistant's own sentences
with a model behind them, and wyoming-piper, spoken to through its websocket as a microphone would be.

    assist.py '{"model_server": "http://127.0.0.1:8080/v1", "weights": FOLDER, "voices": FOLDER, "voice": NAME}'

Each line of its input is {"recording": FILE}; each line that it prints tells what came of that. Without a model server what no
sentence of Home Assistant's own takes stays without an answer. Ends what it has started with itself. Run with the Python that
`install.py` fills.
"""

import array
import asyncio
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import wave

import aiohttp

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "home_assistant"))

from installation import folder_of_all, installed  # noqa: E402
from real import PATIENCE, answers, free_port  # noqa: E402
from settle import Socket, onboard  # noqa: E402

RATE = 16000
FRAME = 320
# What the benchmark takes for sound on our side, too.
AUDIBLE = 327
# A person who is not heard gives up.
WAITING = 300
CONFIGURATION = """
homeassistant: {{country: GB, time_zone: {zone}, unit_system: metric, internal_url: "http://127.0.0.1:{port}"}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
websocket_api:
config:
conversation:
assist_pipeline:
"""
# Of prctl(2).
PR_SET_PDEATHSIG = 1
SECONDS_PER_TICK = 1 / os.sysconf("SC_CLK_TCK")


def with_us():
    """In a child: it ends when this program does."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def start(folder, name, command, environment):
    with open(folder / f"{name}.log", "w") as log:
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment, preexec_fn=with_us)


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) * SECONDS_PER_TICK


class Assist:
    def __init__(self, settings, session):
        self.settings = settings
        self.session = session
        self.processes = []
        self.socket = None

    async def start(self):
        installation = installed(os.environ.get("HOME_ASSISTANT") or "2025.4", folder_of_all())
        self.version = installation.version
        home = installation.home.with_name("assist")
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        zone = os.environ.get("TZ") or "UTC"
        (home / "configuration.yaml").write_text(CONFIGURATION.format(port=port, zone=zone))
        environment = installation.environment()
        if self.settings.get("model_server"):
            environment["OPENAI_BASE_URL"] = self.settings["model_server"]
        command = installation.command("-m", "homeassistant", "-c", installation.seen(home))
        self.processes.append(start(installation.folder, "assist", command, environment))
        self.services = self.speech(installation.folder)
        deadline = time.monotonic() + PATIENCE
        while not await asyncio.to_thread(answers, self.url):
            if time.monotonic() > deadline or self.processes[0].poll() is not None:
                sys.exit(f"Home Assistant does not start; see {installation.folder / 'assist.log'}")
            await asyncio.sleep(0.5)
        self.token = await onboard(self.session, self.url)
        await self.connect()
        # The one from the login is good for half an hour.
        self.token = await self.ask(type="auth/long_lived_access_token", client_name="Bench", lifespan=1)
        await self.furnish()

    async def connect(self):
        """Opens a socket of its own: Home Assistant closes one from which its pings were not read between two recordings."""
        if self.socket:
            await self.socket.close()
        self.socket = (await Socket.open(self.session, self.url, self.token)).socket
        self.last = 0

    def speech(self, folder):
        """Starts the services that hear and speak, and gives their ports."""
        data = folder / "assist-data"
        data.mkdir(exist_ok=True)
        [hears, speaks] = ports = [free_port(), free_port()]
        # Eight bits, as our own model of the ear has, and the beam as it comes.
        ear = ["wyoming_faster_whisper", "--model", self.settings["weights"], "--language", "en", "--compute-type", "int8",
               "--cpu-threads", str(os.cpu_count()), "--stt-library", "faster-whisper", "--local-files-only"]  # fmt: skip
        voice = ["wyoming_piper", "--voice", self.settings["voice"], "--local-files-only", "--data-dir", self.settings["voices"]]
        for name, port, command in (("assist-ear", hears, ear), ("assist-voice", speaks, voice)):
            place = ["--uri", f"tcp://127.0.0.1:{port}", "--data-dir", data]
            self.processes.append(start(folder, name, [sys.executable, "-m", *command, *place], dict(os.environ)))
        return ports

    async def furnish(self):
        for port in self.services:
            await self.enter("wyoming", {"host": "127.0.0.1", "port": port})
        agent = "conversation.home_assistant"
        if self.settings.get("model_server"):
            await self.enter("openai_conversation", {"api_key": "none"})
            agent = await self.entity("conversation", besides=agent)
        [hears, speaks] = [await self.entity(kind, of="wyoming") for kind in ("stt", "tts")]
        engine = (await self.ask(type="tts/engine/get", engine_id=speaks))["provider"]
        [language] = engine["supported_languages"][:1]
        pipeline = await self.ask(
            type="assist_pipeline/pipeline/create", name="Bench", language="en", conversation_engine=agent,
            conversation_language="en", stt_engine=hears, stt_language="en", tts_engine=speaks, tts_language=language,
            tts_voice=None, wake_word_entity=None, wake_word_id=None, prefer_local_intents=True,
        )  # fmt: skip
        self.pipeline = pipeline["id"]

    async def enter(self, handler, entered):
        """Goes through the form of an integration. One that is not there yet is tried again."""
        for _ in range(60):
            flow = await self.post("config/config_entries/flow", {"handler": handler})
            made = await self.post(f"config/config_entries/flow/{flow['flow_id']}", entered)
            if made.get("type") == "create_entry":
                return
            await asyncio.sleep(1)
        sys.exit(f"Home Assistant does not take {handler}: {made}")

    async def post(self, path, data):
        headers = {"Authorization": f"Bearer {self.token}"}
        async with self.session.post(f"{self.url}/api/{path}", json=data, headers=headers) as answer:
            return await answer.json()

    async def entity(self, kind, of=None, besides=None):
        """The id of the one entity of this kind that is meant."""
        for _ in range(60):
            for one in await self.ask(type="config/entity_registry/list"):
                entity = one["entity_id"]
                if entity.startswith(f"{kind}.") and entity != besides and of in (None, one["platform"]):
                    return entity
            await asyncio.sleep(1)
        sys.exit(f"Home Assistant has no {kind}")

    async def ask(self, **command):
        self.last += 1
        await self.socket.send_json({"id": self.last, **command})
        while True:
            answer = await self.socket.receive_json()
            if answer.get("id") == self.last and answer["type"] == "result":
                if not answer["success"]:
                    sys.exit(f"Home Assistant refuses {command}: {answer['error']}")
                return answer["result"]

    def worked(self):
        return sum(map(processor_seconds, self.processes))

    async def hear(self, recording):
        """Speaks a recording into the pipeline and gives what came of it, in seconds from its last sound."""
        with wave.open(recording) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2), recording
            sound = array.array("h", file.readframes(file.getnframes()))
        await self.connect()
        worked = self.worked()
        self.last += 1
        run = {"type": "assist_pipeline/run", "start_stage": "stt", "end_stage": "tts", "timeout": WAITING,
               "input": {"sample_rate": RATE}, "pipeline": self.pipeline}  # fmt: skip
        await self.socket.send_json({"id": self.last, **run})
        told, microphone, data = {}, None, {}
        try:
            async for at, kind, about in self.events():
                told[kind], data[kind] = at, about
                if kind == "run-start":
                    place = about["runner_data"]["stt_binary_handler_id"]
                    began = time.monotonic()
                    microphone = asyncio.create_task(self.speak(place, sound, began))
                elif kind in ("stt-vad-end", "stt-end", "error") and microphone:
                    microphone.cancel()
                elif kind == "tts-end":
                    told["sound"] = await self.first_sound(about["tts_output"]["url"])
        finally:
            if microphone:
                microphone.cancel()
        said = began + max(place for place, sample in enumerate(sound) if abs(sample) > AUDIBLE) / RATE
        moments = [told.get(kind) for kind in ("stt-vad-end", "stt-end", "intent-end", "sound")]
        answered = data.get("intent-end", {})
        spoken = answered.get("intent_output", {}).get("response", {}).get("speech", {}).get("plain", {}).get("speech")
        return {
            "heard": data.get("stt-end", {}).get("stt_output", {}).get("text"),
            "answer": spoken or "",
            "moments": [at and at - said for at in moments],
            "is_local": answered.get("processed_locally", True),
            "work": self.worked() - worked,
            "fault": data.get("error", {}).get("message"),
        }

    async def events(self):
        """What the pipeline tells, each with its moment, until it ends."""
        while True:
            answer = await self.socket.receive_json(timeout=WAITING)
            at = time.monotonic()
            if answer.get("id") != self.last:
                continue
            if answer["type"] == "result" and not answer["success"]:
                yield at, "error", answer["error"]
                return
            if answer["type"] == "event":
                yield at, answer["event"]["type"], answer["event"]["data"] or {}
                if answer["event"]["type"] == "run-end":
                    return

    async def speak(self, place, sound, began):
        """As a microphone: each piece when it has sounded, and silence behind it for as long as that listens."""
        sent = 0
        while True:
            piece = sound[sent : sent + FRAME]
            piece.extend([0] * (FRAME - len(piece)))
            sent += FRAME
            await asyncio.sleep(began + sent / RATE - time.monotonic())
            await self.socket.send_bytes(bytes([place]) + piece.tobytes())

    async def first_sound(self, path):
        """When the first bytes of the answer's sound come; the rest is fetched, too, so that nothing is left undone."""
        async with self.session.get(self.url + path) as answer:
            first = await answer.content.readany()
            at = time.monotonic()
            await answer.read()
            if not first or answer.status != 200:
                sys.exit(f"Home Assistant's answer has no sound ({answer.status}); its log tells why")
            return at


async def main():
    # What is printed is for the benchmark alone.
    output = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    async with aiohttp.ClientSession() as session:
        assist = Assist(json.loads(sys.argv[1]), session)
        await assist.start()
        print(json.dumps({"version": assist.version}), file=output, flush=True)
        while line := await asyncio.to_thread(sys.stdin.readline):
            print(json.dumps(await assist.hear(json.loads(line)["recording"])), file=output, flush=True)


if __name__ == "__main__":
    asyncio.run(main())
