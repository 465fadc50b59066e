"""Brings a Wyoming service into a running Home Assistant, as a person does, and prints as one line of JSON what that is told.

Talks to Home Assistant's own HTTP interface, with nothing beside the standard library. Arguments: the port of the service,
a WAV file, and sentences that are said one after the other in one conversation. The environment says where Home Assistant
listens (LOQUAT_HOME_ASSISTANT) and holds a token of its owner (LOQUAT_HOME_ASSISTANT_OWNER).
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request

PATIENCE_SECONDS = 120


def call(url, body=None, token=None, headers=None):
    """What is answered; a body that is a dictionary is sent as JSON."""
    headers = dict(headers or {})
    if isinstance(body, dict):
        body = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    if token:
        headers["Authorization"] = f"Bearer {token}"
    request = urllib.request.Request(url, data=body, headers=headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
        return json.loads(answer.read())


def eventually(look):
    """What `look` gives, once it gives something."""
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        try:
            if found := look():
                return found
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            pass
        time.sleep(0.2)
    raise SystemExit("Home Assistant was waited for in vain")


def main():
    """One visit."""
    port, recording, *sentences = sys.argv[1:]
    home, token = os.environ["LOQUAT_HOME_ASSISTANT"], os.environ["LOQUAT_HOME_ASSISTANT_OWNER"]
    flows = f"{home}/api/config/config_entries/flow"
    flow = call(flows, {"handler": "wyoming"}, token)["flow_id"]
    entry = call(f"{flows}/{flow}", {"host": "127.0.0.1", "port": int(port)}, token)
    agent = "conversation.loquat"
    is_there = lambda: any(state["entity_id"] == agent for state in call(f"{home}/api/states", token=token))
    eventually(is_there)
    answers, conversation = [], None
    for text in sentences:
        asked = {"text": text, "agent_id": agent, "language": "en", "conversation_id": conversation}
        asked = {key: value for key, value in asked.items() if value is not None}
        answer = call(f"{home}/api/conversation/process", asked, token)
        conversation = answer["conversation_id"]
        answers.append(answer["response"]["speech"]["plain"]["speech"])
    said = None
    if recording:
        states = call(f"{home}/api/states", token=token)
        ears = next(state["entity_id"] for state in states if state["entity_id"].startswith("stt.loquat"))
        form = "format=wav; codec=pcm; sample_rate=16000; bit_rate=16; channel=1; language=en"
        with open(recording, "rb") as file:
            said = call(f"{home}/api/stt/{ears}", file.read(), token, {"X-Speech-Content": form})
    print(json.dumps({"title": entry["title"], "answers": answers, "heard": said}))


main()
