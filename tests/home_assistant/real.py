"""Installs a real Home Assistant, starts it with its demo home, furnishes that, and runs a command beside it.

    real.py [--record] 2025.4|2026.11 COMMAND ...

The command finds the server's address in LOQUAT_HOME_ASSISTANT, a token of a user who administers nothing in
LOQUAT_HOME_ASSISTANT_TOKEN, one of the owner in LOQUAT_HOME_ASSISTANT_OWNER, in LOQUAT_HOME_ASSISTANT_VERSION which
version it is, and in LOQUAT_HOME_ASSISTANT_VOICES the file in which its voices note what they say. The program is kept in
$LOQUAT_HOME_ASSISTANT_FOLDER or ~/.cache/loquat/home-assistant; its home is made anew each time. With `--record`, what it
answers is written to the folder of that version beside this file, and it has no voices.
"""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.request

from installation import folder_of_all, installed
from voices import VOICE, Voices

HERE = pathlib.Path(__file__).parent
PATIENCE = 300

CONFIGURATION = """
homeassistant: {{country: GB, time_zone: Europe/London, unit_system: metric, internal_url: "http://127.0.0.1:{port}"}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
websocket_api:
demo:
conversation:
stt:
script:
  evening:
    alias: Evening
    sequence: [{{action: light.turn_on, target: {{entity_id: light.kitchen_lights}}}}]
  leave:
    alias: Leave the house
    sequence:
      - {{action: light.turn_off, target: {{entity_id: all}}}}
      - {{action: lock.unlock, target: {{entity_id: lock.front_door}}}}
scene:
  - {{name: Reading, entities: {{light.bed_light: "on"}}}}
  - {{name: Open house, entities: {{lock.front_door: unlocked}}}}
"""


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def answers(url):
    try:
        with urllib.request.urlopen(f"{url}/api/onboarding", timeout=2) as answer:
            return bool(json.load(answer))
    except OSError:
        return False


def main():
    records = sys.argv[1:2] == ["--record"]
    version, *command = sys.argv[2:] if records else sys.argv[1:]
    installation = installed(version, folder_of_all())
    home = installation.home
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    for script in ("assistant.py", "record.py", "settle.py"):
        shutil.copy(HERE / script, home)
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    (home / "configuration.yaml").write_text(CONFIGURATION.format(port=port))
    start = installation.command("-m", "homeassistant", "-c", installation.seen(home))
    with open(installation.folder / "log", "w") as log:
        server = subprocess.Popen(start, stdout=log, stderr=log, env=installation.environment())
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers(url):
            if server.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"Home Assistant does not start; see {installation.folder / 'log'}")
            time.sleep(0.5)
        wanted = [installation.seen(home / "recorded")] if records else []
        asked = (installation.seen(home / "record.py"), url, *wanted)
        told = installation.run(*asked, capture_output=True, text=True)
        if records:
            (HERE / version).mkdir(exist_ok=True)
            shutil.copy(home / "recorded/home.json", HERE / version)
        *complaints, owner, token = told.stdout.strip().splitlines()
        for complaint in complaints:
            print(complaint, flush=True)
        heard = home / "voices.jsonl"
        if not records:
            Voices(heard).join(url, owner)
            installation.run(installation.seen(home / "assistant.py"), url, owner, VOICE)
        found = {"": url, "_TOKEN": token, "_OWNER": owner, "_VERSION": version, "_VOICES": str(heard)}
        environment = {f"LOQUAT_HOME_ASSISTANT{name}": value for name, value in found.items()}
        code = subprocess.run(command, env={**os.environ, **environment}).returncode
    finally:
        server.terminate()
        server.wait(60)
    sys.exit(code)


if __name__ == "__main__":
    main()
