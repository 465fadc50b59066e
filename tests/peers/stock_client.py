"""Talks to a bus through the stock ovos-bus-client and prints, as one line of JSON, what its handlers heard.

Runs in the virtual environments that ../install.py makes; the test named `peers` starts it. It knows nothing of Loquat
beyond what any OVOS client knows.
"""
import argparse
import json
import threading
import time

from ovos_bus_client import Message, MessageBusClient

# Handlers run on a pool of threads, so the last one may still be at work when its frame has been read.
SETTLE_SECONDS = 0.5
PATIENCE_SECONDS = 20


def connected(port):
    """A client that is connected to the bus on this port."""
    bus = MessageBusClient(host="127.0.0.1", port=port, route="/core", ssl=False)
    bus.run_in_thread()
    if not bus.connected_event.wait(PATIENCE_SECONDS):
        raise SystemExit(f"the bus on port {port} does not answer")
    return bus


def ask(bus, text, session):
    """Puts an utterance on the bus; what was heard under each name until it has ended."""
    heard = {"speak": [], "ovos.utterance.speak": [], "ovos.utterance.handled": []}
    ended = threading.Event()

    def listen(topic):
        def handler(message):
            heard[topic].append(message.data.get("utterance"))
            if topic == "ovos.utterance.handled":
                ended.set()

        bus.on(topic, handler)

    for topic in heard:
        listen(topic)
    context = {"source": "audio", "destination": "skills"}
    if session:
        context["session"] = json.loads(session)
    bus.emit(Message("recognizer_loop:utterance", {"utterances": [text], "lang": "en-US"}, context))
    ended.wait(PATIENCE_SECONDS)
    time.sleep(SETTLE_SECONDS)
    return heard


def request(bus, topic, data):
    """Sends a request and waits for its response, as every skill does."""
    message = Message(topic, json.loads(data), {"source": "stock", "destination": "skills"})
    response = bus.wait_for_response(message, timeout=PATIENCE_SECONDS)
    return response and {"data": response.data, "context": response.context}


def collect(bus, topic):
    """Sends a request that several may answer, and gives all answers."""
    answers = []
    bus.on(f"{topic}.response", lambda message: answers.append(message.data))
    bus.emit(Message(topic, {}, {"source": "stock", "destination": "skills"}))
    time.sleep(2 * SETTLE_SECONDS)
    return answers


def batch(bus, path):
    """Makes the requests of a file, one after the other; what each was answered with, and in how many seconds."""
    with open(path, encoding="utf-8") as file:
        requests = json.load(file)
    heard = []
    for asked in requests:
        began = time.monotonic()
        message = Message(asked["topic"], asked["data"], {"source": "stock", "destination": "skills"})
        response = bus.wait_for_response(message, timeout=PATIENCE_SECONDS)
        heard.append({"data": response and response.data, "seconds": time.monotonic() - began})
    return heard


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    commands = parser.add_subparsers(dest="command", required=True)
    asking = commands.add_parser("ask")
    asking.add_argument("text")
    asking.add_argument("--session", help="the session as JSON; the client's own when absent")
    requesting = commands.add_parser("request")
    requesting.add_argument("topic")
    requesting.add_argument("data", nargs="?", default="{}")
    collecting = commands.add_parser("collect")
    collecting.add_argument("topic")
    batching = commands.add_parser("batch")
    batching.add_argument("path")
    arguments = parser.parse_args()

    bus = connected(arguments.port)
    if arguments.command == "ask":
        result = ask(bus, arguments.text, arguments.session)
    elif arguments.command == "request":
        result = request(bus, arguments.topic, arguments.data)
    elif arguments.command == "batch":
        result = batch(bus, arguments.path)
    else:
        result = collect(bus, arguments.topic)
    print(json.dumps(result), flush=True)
    bus.close()


if __name__ == "__main__":
    main()
