"""Has Piper speak. Answers each line of JSON on its input, `{"text", "path", "speed"}`, once the WAV file is there.

Usage: speak.py VOICE, an ONNX file with its JSON beside it. A speed of 1 is the voice's own; the faster, the larger.
"""
import json
import sys
import wave

from piper import PiperVoice, SynthesisConfig


def main():
    voice = PiperVoice.load(sys.argv[1])
    for line in sys.stdin:
        asked = json.loads(line)
        with wave.open(asked["path"], "wb") as wav:
            voice.synthesize_wav(asked["text"], wav, syn_config=SynthesisConfig(length_scale=1 / asked["speed"]))
        print(json.dumps({}), flush=True)


if __name__ == "__main__":
    main()
