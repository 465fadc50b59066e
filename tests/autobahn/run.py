"""Runs the Autobahn testsuite against the websocket of the embedded bus and prints how its cases ended.

Usage: run.py ECHO_PROGRAM; fails when a case failed. The suite needs Python 2.7, as `python2.7` on the PATH or named by
$PYTHON2; it is installed once into $LOQUAT_AUTOBAHN or ~/.cache/loquat/autobahn. $CASES and $EXCLUDE are lists of
case patterns with spaces between; compression is not offered by the bus, so its cases are left out unless asked for.
"""
import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

VERSION = "25.10.1"
USUAL_EXCLUDE = "12.* 13.*"

# Its folder has to be a site folder, since the suite is made of packages that share a name.
RUN = "import site, sys; site.addsitedir(sys.argv.pop(1)); from autobahntestsuite.wstest import run; run()"


def python2():
    """The interpreter that the suite needs."""
    name = os.environ.get("PYTHON2", "python2.7")
    try:
        subprocess.run([name, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        sys.exit(f"the Autobahn testsuite needs Python 2.7, and {name} does not run: name one with PYTHON2")
    return name


def suite(interpreter):
    """The folder of the suite, filled if it is not."""
    usual = pathlib.Path.home() / ".cache" / "loquat" / "autobahn"
    folder = pathlib.Path(os.environ.get("LOQUAT_AUTOBAHN") or usual)
    if not (folder / "autobahntestsuite").is_dir():
        print(f"installing the Autobahn testsuite into {folder}", flush=True)
        pip = [interpreter, "-m", "pip", "install", "--quiet", "--target", folder]
        subprocess.run([*pip, f"autobahntestsuite=={VERSION}"], check=True)
    return folder


def play(interpreter, folder, url, reports):
    """Plays the cases; what the suite wrote about each."""
    spec = {
        "servers": [{"url": url, "agent": "loquat"}],
        "outdir": str(reports),
        "cases": os.environ.get("CASES", "*").split(),
        "exclude-cases": os.environ.get("EXCLUDE", USUAL_EXCLUDE).split(),
        "exclude-agent-cases": {},
    }
    file = reports / "spec.json"
    file.write_text(json.dumps(spec))
    command = [interpreter, "-c", RUN, folder, "-m", "fuzzingclient", "-s", file]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=reports)
    return json.loads((reports / "index.json").read_text())["loquat"]


def main():
    """Starts the echo, plays, counts."""
    interpreter = python2()
    folder = suite(interpreter)
    with tempfile.TemporaryDirectory() as reports:
        echo = subprocess.Popen([sys.argv[1]], stdout=subprocess.PIPE, text=True)
        try:
            cases = play(interpreter, folder, echo.stdout.readline().strip(), pathlib.Path(reports))
        finally:
            echo.kill()
            echo.wait()
    endings = collections.Counter(case["behavior"] for case in cases.values())
    closings = collections.Counter(case["behaviorClose"] for case in cases.values())
    print(f"{len(cases)} cases: {dict(endings)}, closing: {dict(closings)}")
    failed = [name for name, case in cases.items() if "FAILED" in (case["behavior"], case["behaviorClose"])]
    if failed:
        sys.exit(f"failed: {' '.join(failed)}")


if __name__ == "__main__":
    main()
