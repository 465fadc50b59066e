"""Installs the MCP servers, the SDK's client and the conformance suite that the test `real_mcp` runs against.

Usage: install.py [FOLDER]; the folder is $LOQUAT_MCP_PEERS or ~/.cache/loquat/peers/mcp unless given. Needs npm and
python3; every package is pinned, and a node that the suite is new enough for comes along.
"""
import hashlib
import os
import pathlib
import shutil
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).parent


def pins():
    """What the folder has to be made of."""
    files = ("package.json", "requirements.txt")
    return hashlib.sha256(b"".join((HERE / name).read_bytes() for name in files) + sys.version.encode()).hexdigest()


def install(folder):
    """Makes the folder anew where the pins are others."""
    stamp = folder / "pins.sha256"
    if stamp.is_file() and stamp.read_text() == pins():
        return
    if not shutil.which("npm"):
        sys.exit("npm is missing; install Node.js first")
    print(f"installing MCP servers into {folder}", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copy(HERE / "package.json", folder)
    subprocess.run(["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=folder, check=True)
    venv.create(folder / "py", with_pip=True)
    pip = [folder / "py/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-r", HERE / "requirements.txt"], check=True)
    stamp.write_text(pins())


def main():
    usual = os.environ.get("LOQUAT_MCP_PEERS") or pathlib.Path.home() / ".cache/loquat/peers/mcp"
    try:
        install(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual))
    except subprocess.CalledProcessError as error:
        sys.exit(f"the MCP servers cannot be installed: is there a network? ({error})")


if __name__ == "__main__":
    main()
