"""Installs the calls that `make bench-decoder` renders: the data of BFCL v4, as its package on PyPI carries them.

Usage: install.py [FOLDER]; the folder is $LOQUAT_BFCL or ~/.cache/loquat/bfcl unless given. One pinned package without
its dependencies, made anew only when the pin has changed; its code is never run. Prints the folder of the data.
"""
import os
import pathlib
import shutil
import subprocess
import sys

PIN = "bfcl-eval==2026.3.23"


def main():
    usual = os.environ.get("LOQUAT_BFCL") or pathlib.Path.home() / ".cache" / "loquat" / "bfcl"
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual)
    stamp = folder / "pin"
    if not (stamp.is_file() and stamp.read_text() == PIN):
        shutil.rmtree(folder, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            subprocess.run([*pip, "--no-deps", "--no-compile", "--target", folder, PIN], check=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"{PIN} cannot be installed: is there a network, and pip? ({error})")
        stamp.write_text(PIN)
    print(folder / "bfcl_eval" / "data")


if __name__ == "__main__":
    main()
