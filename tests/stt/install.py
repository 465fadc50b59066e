"""Installs the ovos-stt-http-server that the test `real_stt` runs against.

Usage: install.py [FOLDER]; the folder is $LOQUAT_STT_PEERS or ~/.cache/loquat/peers/stt unless given. Every package is
pinned, so nothing is resolved.
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
    """Makes the folder anew where the pins are others."""
    pins = hashlib.sha256(PINS.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "pins.sha256"
    if stamp.is_file() and stamp.read_text() == pins:
        return
    print(f"installing the ovos-stt-http-server into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-r", PINS], check=True)
    stamp.write_text(pins)


def main():
    usual = os.environ.get("LOQUAT_STT_PEERS") or pathlib.Path.home() / ".cache/loquat/peers/stt"
    try:
        install(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual))
    except subprocess.CalledProcessError as error:
        sys.exit(f"The ovos-stt-http-server cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
