"""Installs hivemind-core 5 and the stock clients that the test `real_hive` runs against.

Usage: install.py [FOLDER]; the folder is $LOQUAT_HIVE_PEERS or ~/.cache/loquat/peers/hive unless given. Every package is
pinned, so nothing is resolved; those of HiveMind are the pre-releases in which version 3 of the protocol came. In `old` of the
folder is the stable client, which speaks the protocol before.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

PINS = pathlib.Path(__file__).parent / "requirements.txt"
OLD_PINS = pathlib.Path(__file__).parent / "old.txt"


def install(folder, pinned):
    """Makes the folder anew where the pins are others."""
    pins = hashlib.sha256(pinned.read_bytes() + sys.version.encode()).hexdigest()
    stamp = folder / "pins.sha256"
    if stamp.is_file() and stamp.read_text() == pins:
        return
    print(f"installing HiveMind into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = [folder / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-r", pinned], check=True)
    stamp.write_text(pins)


def main():
    usual = os.environ.get("LOQUAT_HIVE_PEERS") or pathlib.Path.home() / ".cache/loquat/peers/hive"
    try:
        folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual)
        install(folder, PINS)
        install(folder / "old", OLD_PINS)
    except subprocess.CalledProcessError as error:
        sys.exit(f"HiveMind cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
