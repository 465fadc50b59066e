"""Builds the server that `make bench-calling` puts its cases to beside the daemon: llama.cpp's own.

Usage: install.py [FOLDER]; the folder is $LOQUAT_STOCK_SERVER or ~/.cache/loquat/stock-server unless given. The source is what the
pinned llama-cpp-python carries, compiled for this machine's own processor as its makers do it; built anew only when the pin has
changed.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

PINS = pathlib.Path(__file__).parent.parent / "model_server" / "pins.txt"
SWITCHES = ["-DCMAKE_BUILD_TYPE=Release", "-DBUILD_SHARED_LIBS=OFF", "-DLLAMA_OPENSSL=OFF", "-DLLAMA_BUILD_UI=OFF", "-DLLAMA_USE_PREBUILT_UI=OFF",
            "-DLLAMA_BUILD_TESTS=OFF", "-DLLAMA_BUILD_EXAMPLES=OFF"]
# AMX faults in virtual machines whose host withholds it.
WITHOUT_AMX = "-mno-amx-tile -mno-amx-int8 -mno-amx-bf16"


def pin():
    """The pinned source."""
    [line] = [line for line in PINS.read_text().splitlines() if line.startswith("llama_cpp_python==")]
    return line


def built(source, build):
    """Compiles the server and gives the program."""
    switches = list(SWITCHES)
    if os.uname().machine == "x86_64":
        switches += [f"-DCMAKE_C_FLAGS={WITHOUT_AMX}", f"-DCMAKE_CXX_FLAGS={WITHOUT_AMX}"]
    subprocess.run(["cmake", "-S", source, "-B", build, *switches], check=True, stdout=subprocess.DEVNULL)
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", build, "--target", "llama-server", "--parallel", jobs], check=True)
    return build / "bin" / "llama-server"


def main():
    usual = os.environ.get("LOQUAT_STOCK_SERVER") or pathlib.Path.home() / ".cache" / "loquat" / "stock-server"
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else usual)
    stamp = folder / "pin"
    if stamp.is_file() and stamp.read_text() == pin():
        return
    print(f"building llama.cpp's server into {folder}: 75 MB are fetched, and compiling takes 10 to 20 minutes on two cores", flush=True)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        work = pathlib.Path(work)
        fetch = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
        try:
            subprocess.run([*fetch, "--no-binary", "llama_cpp_python", "--dest", work, pin()], check=True)
            [archive] = work.glob("llama_cpp_python-*.tar.gz")
            with tarfile.open(archive) as opened:
                opened.extractall(work, filter="data")
            [source] = work.glob("llama_cpp_python-*/vendor/llama.cpp")
            shutil.copy2(built(source, work / "build"), folder / "llama-server")
        except subprocess.CalledProcessError as error:
            sys.exit(f"the server cannot be built: is there a network, a C++ compiler and cmake? ({error})")
    stamp.write_text(pin())


if __name__ == "__main__":
    main()
