"""A satellite of HiveMind that speaks through the stock client, and prints what came of it as one line of JSON.

Runs in the virtual environment that ../install.py makes. It knows nothing of Loquat beyond what any satellite knows.
"""
import argparse
import base64
import json
import logging
import sys
import threading
import time
import wave

from hivemind_bus_client.client import BinaryDataCallbacks, HiveMessageBusClient
from hivemind_bus_client.identity import NodeIdentity
from hivemind_bus_client.message import HiveMessage, HiveMessageType
from hivemind_bus_client.serialization import HiveMindBinaryPayloadType
from ovos_bus_client.message import Message
from ovos_utils.log import LOG

PATIENCE_SECONDS = 60
# What stock satellites take from a microphone at once.
CHUNK = 4096
# By both its names.
SPEAK = ("speak", "ovos.utterance.speak")


class Heard(BinaryDataCallbacks):
    """Keeps what the listener sends."""

    def __init__(self):
        self.messages = []
        self.sounds = []
        self.arrived = threading.Condition()

    def message(self, raw):
        """Takes a message of the hive, whole."""
        message = json.loads(raw)
        if message["msg_type"] == "bus":
            payload = message["payload"]
            with self.arrived:
                self.messages.append(payload if isinstance(payload, dict) else json.loads(payload))
                self.arrived.notify_all()

    def handle_receive_tts(self, bin_data, utterance, lang, file_name):
        """Takes speech."""
        with self.arrived:
            self.sounds.append({"bytes": len(bin_data), "head": bin_data[:4].decode("latin-1"),
                                "utterance": utterance, "lang": lang})
            self.arrived.notify_all()

    def wait(self, what):
        """Waits until something was heard."""
        with self.arrived:
            if not self.arrived.wait_for(what, PATIENCE_SECONDS):
                sys.exit(f"nothing more was heard; so far {json.dumps(self.messages)[:2000]}")

    def of(self, *topics):
        """The messages of these topics."""
        return [message for message in self.messages if message["type"] in topics]


def connect(arguments, heard):
    """The stock client, joined; or why it is not."""
    identity = NodeIdentity(app_name="satellite", shared_fallback=False)
    options = {"binarize": arguments.binary, "compress": arguments.binary}
    client = HiveMessageBusClient(key=arguments.key, password=arguments.password, host=f"{arguments.scheme}://127.0.0.1",
                                  port=arguments.port, identity=identity, bin_callbacks=heard,
                                  useragent="stock satellite", max_protocol_version=arguments.protocol, **options)
    client.on("message", lambda raw: None)
    client.emitter.on("message", heard.message)
    client.connect(site_id="kitchen", handshake_max_retries=2)
    return client


def ask(client, heard, arguments):
    """Says sentences, one after the other, and gives what was said to each."""
    answers = []
    for sentence in arguments.words:
        before = len(heard.of("ovos.utterance.handled", "hive.policy.denied"))
        said = len(heard.of(*SPEAK))
        client.emit(Message("recognizer_loop:utterance", {"utterances": [sentence], "lang": arguments.lang}))
        heard.wait(lambda: len(heard.of("ovos.utterance.handled", "hive.policy.denied")) > before)
        answers.append([message["data"]["utterance"] for message in heard.of(*SPEAK)[said:]])
    return {"answers": answers, "denied": [message["data"] for message in heard.of("hive.policy.denied")],
            "session": client.session_id, "topics": [message["type"] for message in heard.messages],
            "sessions": sorted({message["context"].get("session", {}).get("session_id", "") for message in heard.messages
                                if message["type"] in SPEAK})}


def send(client, heard, arguments):
    """Sends one message of the bus, and gives what came back first."""
    topic, data = arguments.words
    client.emit(Message(topic, json.loads(data)))
    heard.wait(lambda: heard.messages or heard.sounds)
    return {"messages": heard.messages, "sounds": heard.sounds}


def listen(client, heard, arguments):
    """Says nothing, and gives what it is to speak, as stock satellites hear that, and what else has come."""
    spoken = []

    def speak(message):
        with heard.arrived:
            spoken.append(message.data["utterance"])
            heard.arrived.notify_all()

    client.on_mycroft("speak", speak)
    heard.wait(lambda: len(spoken) >= int(arguments.words[0]))
    return {"spoken": spoken, "topics": [message["type"] for message in heard.messages]}


def cascade(client, heard, arguments):
    """Asks all nodes of the hive, and gives what the first of them says."""
    said = []

    def message(raw):
        payload = json.loads(raw)
        if payload["msg_type"] == "cascade":
            inner = payload["payload"]["payload"]
            with heard.arrived:
                said.append({"type": inner["type"], "utterance": inner["data"].get("utterance"),
                             "by": payload["metadata"].get("responder_peer")})
                heard.arrived.notify_all()

    client.emitter.on("message", message)
    inner = HiveMessage(HiveMessageType.BUS, payload=Message(
        "recognizer_loop:utterance", {"utterances": [arguments.words[0]], "lang": arguments.lang},
        {"session": {"session_id": client.session_id}}))
    client.emit(HiveMessage(HiveMessageType.CASCADE, payload=inner))
    heard.wait(lambda: any(one["type"] == "hive.query.complete" for one in said) or heard.of("hive.policy.denied"))
    return {"said": said, "denied": heard.of("hive.policy.denied")}


def speak(client, heard, arguments):
    """Wishes for a sentence as bytes."""
    client.emit(Message("speak:synth", {"utterance": arguments.words[0]}))
    heard.wait(lambda: heard.sounds or heard.of("hive.policy.denied"))
    return {"sounds": heard.sounds, "denied": heard.of("hive.policy.denied")}


def hear(client, heard, arguments):
    """Sends a recording as bytes, or in a message, and gives what comes of it."""
    kind, file, until = arguments.words
    with open(file, "rb") as recording:
        audio = recording.read()
    if kind == "b64":
        client.emit(Message("recognizer_loop:b64_transcribe",
                            {"audio": base64.b64encode(audio).decode(), "lang": arguments.lang}))
    else:
        client.emit(HiveMessage(HiveMessageType.BINARY, payload=audio, bin_type=HiveMindBinaryPayloadType[kind],
                                metadata={"lang": arguments.lang, "sample_rate": 16000, "sample_width": 2}))
    heard.wait(lambda: heard.of(until, "hive.policy.denied"))
    return {"messages": heard.messages}


def stream(client, heard, arguments):
    """Sends a recording as a satellite sends what its microphone hears, and gives what comes of it."""
    file, until = arguments.words
    with wave.open(file) as recording:
        told = {"sample_rate": recording.getframerate(), "sample_width": recording.getsampwidth()}
        while sound := recording.readframes(CHUNK // 2):
            client.emit(HiveMessage(HiveMessageType.BINARY, payload=sound, metadata=told,
                                    bin_type=HiveMindBinaryPayloadType.RAW_AUDIO))
    heard.wait(lambda: heard.of(until, "hive.policy.denied"))
    return {"messages": heard.messages}


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--lang", default="en-US")
    parser.add_argument("--protocol", type=int, default=3)
    parser.add_argument("--binary", action="store_true")
    parser.add_argument("--scheme", default="ws")
    parser.add_argument("what", choices=sorted(WAYS))
    parser.add_argument("words", nargs="*")
    return parser.parse_args()


WAYS = {"ask": ask, "cascade": cascade, "hear": hear, "listen": listen, "send": send, "speak": speak, "stream": stream}


def main():
    LOG.set_level("CRITICAL")
    logging.disable(logging.ERROR)
    given = arguments()
    heard = Heard()
    try:
        client = connect(given, heard)
        print(json.dumps(WAYS[given.what](client, heard, given)))
        client.close()
    except (RuntimeError, OSError) as error:
        print(json.dumps({"refused": str(error)}))


if __name__ == "__main__":
    main()
