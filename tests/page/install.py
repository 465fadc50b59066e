"""Installs the driver of browsers and the checker of accessibility that the test `real_page` uses.

Usage: install.py [FOLDER]; the folder is $LOQUAT_PAGE_PEERS or ~/.cache/loquat/peers/page unless given. Needs npm; every
package is pinned. The browser is Debian's chromium.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def install(folder):
    """Makes the folder anew where the pins are others."""
    pins = hashlib.sha256((HERE / "package.json").read_bytes()).hexdigest()
    stamp = folder / "pins.sha256"
    if stamp.is_file() and stamp.read_text() == pins:
        return
    if not shutil.which("npm"):
        sys.exit("npm is missing; install Node.js first")
    print(f"installing the driver of browsers into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(HERE / "package.json", folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
    stamp.write_text(pins)


def main():
    usual = os.environ.get("LOQUAT_PAGE_PEERS") or pathlib.Path.home() / ".cache/loquat/peers/page"
    try:
        install(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual))
    except subprocess.CalledProcessError as error:
        sys.exit(f"the driver of browsers cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
