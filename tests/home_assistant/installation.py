"""Where a real Home Assistant lives and how it is put there: on this machine's Python, or, a newer one, in a Debian root of
its own. Knows no home and no test, and changes nothing outside its folder."""

import os
import pathlib
import shutil
import subprocess
import sys

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
SUITE = "forky"
# What the root is made with: debootstrap of an older Debian knows no forky, but its script for sid makes one.
SCRIPT = "/usr/share/debootstrap/scripts/sid"
INCLUDED = "python3,python3-venv,python3-dev,ca-certificates,gcc,libc6-dev"
# A mirror may be some weeks behind.
LATE_MIRROR = ["-o", "Acquire::Check-Valid-Until=false"]
# The authorities that this machine trusts are trusted within.
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
# Without a compiler some of its packages do not build, and then the whole demo home is missing.
WANTED = ["g++", "make", "ffmpeg", "libturbojpeg0", "libpcap0.8t64", "git"]


# What Home Assistant 2025.4 needs, and what an interpreter prints that is that.
PYTHON = (3, 13)
TELLS = f"import ensurepip, sys; print(sys.version_info[:2] == {PYTHON})"


def python_that_runs():
    """A Python of the wanted version, proved by running it: one on the search path may be a shim that only complains."""
    name = "python{}.{}".format(*PYTHON)
    folders = [pathlib.Path(folder) for folder in os.environ.get("PATH", "").split(os.pathsep) if folder]
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv") / "versions"
    folders += sorted(pyenv.glob("{}.{}*/bin".format(*PYTHON)), reverse=True)
    candidates = [folder / name for folder in folders if os.access(folder / name, os.X_OK)]
    for candidate in candidates:
        if runs(candidate):
            return candidate
    tried = f"; tried and not usable: {', '.join(map(str, candidates))}" if candidates else ""
    sys.exit(f"there is no {name} that runs{tried}. Install one, for example with `uv python install 3.13`.")


def runs(python):
    told = subprocess.run([python, "-c", TELLS], capture_output=True, text=True)
    return told.returncode == 0 and told.stdout.strip() == "True"


class OnThisMachine:
    """Home Assistant 2025.4, which is the newest that runs with Python 3.13, in a virtual environment."""

    version = "2025.4.4"

    def __init__(self, folder):
        self.folder = folder / self.version
        self.home = self.folder / "home"

    def install(self):
        subprocess.run([python_that_runs(), "-m", "venv", self.folder / "venv"], check=True)
        self.add_package()

    def add_package(self):
        self.run("-m", "pip", "install", "--quiet", "uv")
        self.run("-m", "uv", "pip", "install", "--quiet", f"homeassistant=={self.version}")

    def command(self, *arguments):
        """What runs its Python with these arguments."""
        return [self.folder / "venv/bin/python", *arguments]

    def environment(self):
        environment = self.folder / "venv"
        path = f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}"
        return {**os.environ, "PATH": path, "VIRTUAL_ENV": str(environment)}

    def run(self, *arguments, **more):
        return subprocess.run(self.command(*arguments), check=True, env=self.environment(), **more)

    def seen(self, path):
        """How it names a file of this machine that lies in its folder."""
        return path


class InItsOwnRoot(OnThisMachine):
    """Home Assistant 2026.11, which wants a newer Python than Debian 12 has. Needs root's rights."""

    version = "2026.11.0"

    def __init__(self, folder):
        super().__init__(folder)
        self.root = self.folder / "root"
        self.home = self.root / "home/assistant"

    def install(self):
        if os.geteuid():
            sys.exit(f"Home Assistant {self.version} is run in a root of its own, which needs root's rights; use sudo.")
        made = ["debootstrap", "--variant=minbase", f"--include={INCLUDED}", SUITE, self.root, MIRROR, SCRIPT]
        with open(self.folder / "debootstrap.log", "w") as log:
            quietly = {"check": True, "stdout": log, "stderr": log}
            subprocess.run(made, **quietly)
            for file in ("/etc/resolv.conf", CERTIFICATES):
                shutil.copy(file, self.root / file.lstrip("/"))
            quietly["env"] = self.environment()
            for wanted in (["update"], ["install", "--yes", "--no-install-recommends", *WANTED]):
                subprocess.run(self.inside("apt-get", *LATE_MIRROR, *wanted), **quietly)
        subprocess.run(self.inside("python3", "-m", "venv", "/venv"), check=True, env=self.environment())
        self.add_package()

    def inside(self, *command):
        """What runs a command within. What it mounts is seen by that command alone and gone with it."""
        mounts = 'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" "$@"'
        return ["unshare", "--mount", "--propagation", "private", "sh", "-c", mounts, self.root, *command]

    def command(self, *arguments):
        return self.inside("/venv/bin/python", *arguments)

    def environment(self):
        path = "/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        trusted = dict.fromkeys(("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE"), CERTIFICATES)
        own = {"PATH": path, "VIRTUAL_ENV": "/venv", "HOME": "/root", "LANG": "C.UTF-8"}
        return {**own, "DEBIAN_FRONTEND": "noninteractive", **trusted}

    def seen(self, path):
        return pathlib.Path("/") / path.relative_to(self.root)


KINDS = {kind.version.rsplit(".", 1)[0]: kind for kind in (OnThisMachine, InItsOwnRoot)}


def folder_of_all():
    """Where each version has its folder."""
    usual = pathlib.Path.home() / ".cache" / "loquat" / "home-assistant"
    return pathlib.Path(os.environ.get("LOQUAT_HOME_ASSISTANT_FOLDER") or usual)


def installed(version, folder):
    """The installation of this version, made where it is not there yet."""
    if version not in KINDS:
        sys.exit(f"Home Assistant {version} is not known here, only {' and '.join(KINDS)}")
    installation = KINDS[version](folder)
    stamp = installation.folder / "installed"
    if not stamp.is_file():
        print(f"installing Home Assistant {installation.version} into {installation.folder}", flush=True)
        shutil.rmtree(installation.folder, ignore_errors=True)
        installation.folder.mkdir(parents=True)
        installation.install()
        stamp.touch()
    return installation
