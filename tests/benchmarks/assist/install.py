"""Installs the peer of `make bench-voice` beside what `ears/install.py` has installed: Home Assistant, and the services that hear
and speak for its Assist.

Usage: install.py [FOLDER]; the folder is $LOQUAT_EARS or ~/.cache/loquat/ears unless given. The packages lie in `assist/` of it,
and Home Assistant where `make test-home` has it. What is there already is left alone.
"""

import hashlib
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent / "home_assistant"))

from installation import folder_of_all, installed  # noqa: E402

PINS = HERE / "pins.txt"


def main():
    usual = os.environ.get("LOQUAT_EARS") or pathlib.Path.home() / ".cache" / "loquat" / "ears"
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual).absolute()
    python = folder / "python" / "bin" / "python"
    if not python.is_file():
        sys.exit(f"{python} is missing; `python3 tests/benchmarks/ears/install.py` makes it")
    target = folder / "assist"
    stamp = target / "pins.sha256"
    digest = hashlib.sha256(PINS.read_bytes() + sys.version.encode()).hexdigest()
    if not stamp.is_file() or stamp.read_text() != digest:
        print(f"installing wyoming-faster-whisper and wyoming-piper into {target}", flush=True)
        shutil.rmtree(target, ignore_errors=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:"]
        try:
            subprocess.run([*pip, "--target", target, "-r", PINS], check=True)
        except subprocess.CalledProcessError as error:
            sys.exit(f"the services of Assist cannot be installed: is there a network? ({error})")
        stamp.write_text(digest)
    installed(os.environ.get("HOME_ASSISTANT") or "2025.4", folder_of_all())


if __name__ == "__main__":
    main()
