"""Installs what the tests run against: OVOS components in both generations, and the client of the Wyoming protocol.

Usage: install.py [FOLDER]; the folder is $LOQUAT_PEERS or ~/.cache/loquat/peers unless given. Each of them gets a
virtual environment of its own, made anew only when its pins have changed. Every package is pinned, so nothing is
resolved and two machines have the same peers.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

ENVIRONMENTS = ("stable", "prerelease", "wyoming")
HERE = pathlib.Path(__file__).parent


def is_current(folder, digest):
    """Whether the environment was made from these pins, to the end."""
    stamp = folder / "pins.sha256"
    return stamp.is_file() and stamp.read_text() == digest


def install(folder, pins):
    """Makes the environment anew."""
    digest = hashlib.sha256(pins.read_bytes() + sys.version.encode()).hexdigest()
    if is_current(folder, digest):
        return
    print(f"installing the peers named {pins.stem} into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-r", pins], check=True)
    (folder / "pins.sha256").write_text(digest)


def main():
    usual = os.environ.get("LOQUAT_PEERS") or pathlib.Path.home() / ".cache" / "loquat" / "peers"
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual)
    for name in ENVIRONMENTS:
        if os.environ.get(f"LOQUAT_PEERS_{name.upper()}"):
            continue
        try:
            install(root / name, HERE / f"{name}.txt")
        except subprocess.CalledProcessError as error:
            sys.exit(f"the peers named {name} cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
