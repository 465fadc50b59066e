"""Installs what the tests run against: OVOS components in both generations, the client of the Wyoming protocol, a nats-server, and
hassil with the community's sentences.

Usage: install.py [FOLDER]; the folder is $LOQUAT_PEERS or ~/.cache/loquat/peers unless given. Each of them gets a
virtual environment of its own, made anew only when its pins have changed. Every package is pinned, so nothing is
resolved and two machines have the same peers. Stock skills of each generation have a folder beside its environment, since
a core loads every skill that it finds there.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

ENVIRONMENTS = ("stable", "prerelease", "wyoming", "nats", "sentences")
# Folders of skills, and the environment whose Python installs them.
SKILLS = {"stable-skills": "stable", "prerelease-skills": "prerelease"}
HERE = pathlib.Path(__file__).parent


def is_current(folder, digest):
    """Whether the environment was made from these pins, to the end."""
    stamp = folder / "pins.sha256"
    return stamp.is_file() and stamp.read_text() == digest


def install(folder, pins, python=None):
    """Makes the environment anew, or with the Python of another the folder."""
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()
    if is_current(folder, digest):
        return
    print(f"installing the peers named {pins.stem} into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    where = ["--target", folder] if python else []
    if not python:
        venv.create(folder, with_pip=True)
    pip = [python or folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", *where, "-r", pins], check=True)
    (folder / "pins.sha256").write_text(digest)


def environment(root, name):
    """Where an environment or a folder is, and whether it is the caller's own."""
    own = os.environ.get(f"LOQUAT_PEERS_{name.upper().replace('-', '_')}")
    return pathlib.Path(own or root / name), bool(own)


def main():
    usual = os.environ.get("LOQUAT_PEERS") or pathlib.Path.home() / ".cache" / "loquat" / "peers"
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual)
    for name in (*ENVIRONMENTS, *SKILLS):
        folder, is_own = environment(root, name)
        if is_own:
            continue
        python = environment(root, SKILLS[name])[0] / "bin" / "python" if name in SKILLS else None
        try:
            install(folder, HERE / f"{name}.txt", python)
        except subprocess.CalledProcessError as error:
            sys.exit(f"the peers named {name} cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
