"""Has a peer hear recordings. Answers each line of JSON on its input, `{"file", "lang"}`, with what was heard, the seconds
that took without the loading of the model, and the most memory that was held, in bytes.

Usage: hear.py faster-whisper MODEL_FOLDER THREADS
       hear.py whisper.cpp PROGRAM MODEL THREADS
Both as they come: no option but model, language, threads and, for faster-whisper, 8-bit weights.
"""
import json
import re
import resource
import subprocess
import sys
import time

# whisper.cpp's own account of the time, in milliseconds.
TIMINGS = re.compile(r"(load|total) time =\s*([0-9.]+) ms")


def held(who):
    return resource.getrusage(who).ru_maxrss * 1024


def faster_whisper(folder, threads):
    from faster_whisper import WhisperModel

    model = WhisperModel(folder, device="cpu", compute_type="int8", cpu_threads=int(threads))

    def hear(file, lang):
        began = time.monotonic()
        segments, _ = model.transcribe(file, language=lang)
        text = " ".join(segment.text.strip() for segment in segments)
        return text, time.monotonic() - began, held(resource.RUSAGE_SELF)

    return hear


def whisper_cpp(program, model, threads):
    def hear(file, lang):
        command = [program, "-m", model, "-t", threads, "-l", lang, "-nt", "-f", file]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        times = {name: float(value) / 1000 for name, value in TIMINGS.findall(done.stderr)}
        text = " ".join(done.stdout.split())
        return text, times["total"] - times["load"], held(resource.RUSAGE_CHILDREN)

    return hear


def main():
    peers = {"faster-whisper": faster_whisper, "whisper.cpp": whisper_cpp}
    hear = peers[sys.argv[1]](*sys.argv[2:])
    for line in sys.stdin:
        asked = json.loads(line)
        text, seconds, memory = hear(asked["file"], asked["lang"])
        print(json.dumps({"text": text, "seconds": seconds, "memory": memory, "pieces": 1}), flush=True)


if __name__ == "__main__":
    main()
