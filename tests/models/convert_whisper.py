#!/usr/bin/env python3
"""Convert a Whisper model from CTranslate2's format to whisper.cpp's.

usage: convert_whisper.py MODEL_BIN FOLDER TOKEN_TABLE f16|q8_0 OUTPUT

FOLDER holds the token table and mel_filters.npz of the Whisper package. Needs numpy. The same input gives the same bytes
on every machine, which is how the result is recognised.
"""

import base64
import os
import struct
import sys

import numpy


class Weights:
    """A CTranslate2 model file: named arrays after a small header, then names that stand for others."""

    def __init__(self, path):
        self.data = numpy.memmap(path, mode="r")
        self.position = 0
        self.arrays = {}
        types = {0: numpy.float32, 1: numpy.int8, 2: numpy.int16, 3: numpy.int32, 4: numpy.float16}
        # Version of the format, name and revision of the model; all of them have the same layout.
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
        if array.dtype == numpy.int8:
            scale = self.arrays[name + "_scale"]
            return array.astype(numpy.float32) / scale.reshape((-1,) + (1,) * (array.ndim - 1))
        return array.astype(numpy.float32)

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
    half = width // 2
    frequencies = numpy.exp(-numpy.log(10000) / (half - 1) * numpy.arange(half))
    angles = numpy.arange(FRAMES)[:, None] * frequencies[None]
    return numpy.concatenate([numpy.sin(angles), numpy.cos(angles)], axis=1).astype(numpy.float32)


def vocabulary(path):
    with open(path, "rb") as file:
        tokens = [base64.b64decode(line.split()[0]) for line in file if line.strip()]
    # The table for English alone leaves out its last token.
    return tokens + [b"<|endoftext|>"] if len(tokens) == 50256 else tokens


def q8_0(array):
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


def encoded(name, array, precision):
    """ggml's number for the type, and the bytes: small tensors stay at full precision, as whisper.cpp wants them."""
    keeps = array.ndim < 2 or "positional" in name or (name.startswith("encoder.conv") and name.endswith("bias"))
    if keeps:
        return 0, array.astype("<f4").tobytes()
    if precision == "q8_0" and array.ndim == 2:
        return 8, q8_0(array)
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


def convert(weights_path, folder, table, precision, output):
    weights = Weights(weights_path)
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
            kind, data = encoded(name, array, precision)
            title = name.encode()
            file.write(struct.pack("<3i", array.ndim, len(title), kind))
            file.write(struct.pack(f"<{array.ndim}i", *reversed(array.shape)) + title + data)


if __name__ == "__main__":
    convert(*sys.argv[1:])
