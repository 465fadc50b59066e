"""A satellite of HiveMind that speaks through the stable stock client, which knows no protocol from version 3 on, and prints what
came of it as one line of JSON.

Runs in the second virtual environment that ../install.py makes.
"""
import argparse
import json
import logging
import sys
import threading
import wave

from hivemind_bus_client.client import HiveMessageBusClient
from hivemind_bus_client.identity import NodeIdentity
from hivemind_bus_client.message import HiveMessage, HiveMessageType
from hivemind_bus_client.serialization import HiveMindBinaryPayloadType
from ovos_bus_client.message import Message
from ovos_utils.log import LOG

PATIENCE_SECONDS = 60
# What stock satellites take from a microphone at once.
CHUNK = 4096


class Heard:
    """Keeps what the listener sends."""

    def __init__(self):
        self.messages = []
        self.arrived = threading.Condition()

    def message(self, raw):
        """Takes a message of the hive, whole."""
        message = json.loads(raw)
        if message["msg_type"] == "bus":
            payload = message["payload"]
            with self.arrived:
                self.messages.append(payload if isinstance(payload, dict) else json.loads(payload))
                self.arrived.notify_all()

    def wait(self, *topics):
        """Waits until a message of these topics was heard."""
        with self.arrived:
            if not self.arrived.wait_for(lambda: any(one["type"] in topics for one in self.messages), PATIENCE_SECONDS):
                sys.exit(f"nothing more was heard; so far {json.dumps(self.messages)[:2000]}")


def main():
    """Joins, asks or streams a recording, and tells what was said."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--password", required=True)
    parser.add_argument("--scheme", default="ws")
    parser.add_argument("--text", action="store_true", help="messages as JSON, and not as bits")
    parser.add_argument("what", choices=["ask", "stream"])
    parser.add_argument("word")
    given = parser.parse_args()
    LOG.set_level("CRITICAL")
    logging.disable(logging.ERROR)
    heard = Heard()
    client = HiveMessageBusClient(key=given.key, password=given.password, host=f"{given.scheme}://127.0.0.1",
                                  port=given.port, useragent="stock satellite", identity=NodeIdentity(),
                                  binarize=not given.text)
    client.emitter.on("message", heard.message)
    # The client itself tries again for ever.
    joined = threading.Thread(target=client.connect, kwargs={"site_id": "kitchen"}, daemon=True)
    joined.start()
    joined.join(PATIENCE_SECONDS / 4)
    if not client.handshake_event.is_set():
        print(json.dumps({"refused": True}), flush=True)
        return
    if given.what == "ask":
        client.emit(Message("recognizer_loop:utterance", {"utterances": [given.word], "lang": "en-US"}))
    else:
        with wave.open(given.word) as recording:
            told = {"sample_rate": recording.getframerate(), "sample_width": recording.getsampwidth()}
            while sound := recording.readframes(CHUNK // 2):
                client.emit(HiveMessage(HiveMessageType.BINARY, payload=sound, metadata=told),
                            binary_type=HiveMindBinaryPayloadType.RAW_AUDIO)
    heard.wait("ovos.utterance.handled", "hive.policy.denied")
    print(json.dumps({"messages": heard.messages}), flush=True)


if __name__ == "__main__":
    main()
