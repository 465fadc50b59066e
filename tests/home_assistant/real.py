"""Installs a real Home Assistant, starts it with its demo home, furnishes that, and runs a command beside it.

    real.py COMMAND ...

The command finds the server's address in LOQUAT_HOME_ASSISTANT and a token of a user who administers nothing in
LOQUAT_HOME_ASSISTANT_TOKEN. The program is kept in $LOQUAT_HOME_ASSISTANT_FOLDER or ~/.cache/loquat/home-assistant;
its home is made anew each time. Needs Python 3.13, which is the newest that Home Assistant 2025.4 runs with.
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

HERE = pathlib.Path(__file__).parent
VERSION = "2025.4.4"
PATIENCE = 180

CONFIGURATION = """
homeassistant: {{country: GB, time_zone: Europe/London, unit_system: metric}}
http: {{server_host: 127.0.0.1, server_port: {port}}}
api:
websocket_api:
demo:
conversation:
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


def installed(folder):
    """The Python of an environment that has Home Assistant."""
    python = folder / "venv" / "bin" / "python"
    stamp = folder / "version"
    if not stamp.is_file() or stamp.read_text() != VERSION:
        print(f"installing Home Assistant {VERSION} into {folder}", flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        base = shutil.which("python3.13")
        if base is None:
            sys.exit("there is no python3.13; install it, for example with `uv python install 3.13`")
        subprocess.run([base, "-m", "venv", folder / "venv"], check=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", "uv"], check=True)
        wanted = f"homeassistant=={VERSION}"
        subprocess.run([python, "-m", "uv", "pip", "install", "--quiet", "--python", python, wanted], check=True)
        stamp.write_text(VERSION)
    return python


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
    usual = pathlib.Path.home() / ".cache" / "loquat" / "home-assistant"
    folder = pathlib.Path(os.environ.get("LOQUAT_HOME_ASSISTANT_FOLDER") or usual)
    python = installed(folder)
    home = folder / "home"
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    (home / "configuration.yaml").write_text(CONFIGURATION.format(port=port))
    path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    with open(folder / "log", "w") as log:
        server = subprocess.Popen(
            [python.parent / "hass", "-c", home], stdout=log, stderr=log, env={**os.environ, "PATH": path}
        )
    try:
        deadline = time.monotonic() + PATIENCE
        while not answers(url):
            if server.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"Home Assistant does not start; see {folder / 'log'}")
            time.sleep(0.5)
        told = subprocess.run([python, HERE / "record.py", url], check=True, capture_output=True, text=True)
        token = told.stdout.strip().splitlines()[-1]
        environment = {**os.environ, "LOQUAT_HOME_ASSISTANT": url, "LOQUAT_HOME_ASSISTANT_TOKEN": token}
        code = subprocess.run(sys.argv[1:], env=environment).returncode
    finally:
        server.terminate()
        server.wait(60)
    sys.exit(code)


if __name__ == "__main__":
    main()
