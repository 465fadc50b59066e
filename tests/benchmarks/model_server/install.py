"""Installs the model server that `make bench-answers` gives to its peer: that of llama-cpp-python.

Usage: install.py [FOLDER]; the folder is $LOQUAT_MODEL_SERVER or ~/.cache/loquat/model-server unless given. It becomes a
virtual environment, made anew only when the pins have changed. llama-cpp-python compiles llama.cpp for this machine's own
processor, but for AMX, which faults in virtual machines whose host withholds it; the other packages are wheels. All are
pinned, so nothing is resolved.
"""
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import venv

PINS = pathlib.Path(__file__).parent / "pins.txt"
WITHOUT_AMX = "-mno-amx-tile -mno-amx-int8 -mno-amx-bf16"


def environment():
    """What llama.cpp is compiled with."""
    if platform.machine() != "x86_64":
        return os.environ
    flags = f"-DCMAKE_C_FLAGS='{WITHOUT_AMX}' -DCMAKE_CXX_FLAGS='{WITHOUT_AMX}'"
    return {**os.environ, "CMAKE_ARGS": f"{os.environ.get('CMAKE_ARGS', '')} {flags}".strip()}


def main():
    usual = os.environ.get("LOQUAT_MODEL_SERVER") or pathlib.Path.home() / ".cache" / "loquat" / "model-server"
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual)
    stamp = folder / "pins.sha256"
    digest = hashlib.sha256(PINS.read_bytes() + sys.version.encode() + WITHOUT_AMX.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == digest:
        return
    print(f"installing a model server into {folder}: 100 MB are fetched, and llama.cpp is compiled, which takes 10 to 30 minutes "
          "on two cores and a gigabyte of disk meanwhile", flush=True)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    # A wheel that was compiled otherwise may lie in the cache.
    quiet = ("--quiet", "--disable-pip-version-check", "--no-cache-dir")
    pip = [folder / "bin" / "python", "-m", "pip", "install", *quiet]
    try:
        subprocess.run([*pip, "--no-deps", "-r", PINS], check=True, env=environment())
    except subprocess.CalledProcessError as error:
        sys.exit(f"the model server cannot be installed: is there a network, a C++ compiler and cmake? ({error})")
    stamp.write_text(digest)


if __name__ == "__main__":
    main()
