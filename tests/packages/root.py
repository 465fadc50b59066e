"""A Debian root of its own, made once and copied for each use. Never changes anything of the machine beside the folder it is
given, but for one thing: programs for arm64 are run by qemu, of which the kernel is told while the tests run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

MIRROR = os.environ.get("DEBIAN_MIRROR", "http://deb.debian.org/debian")
SUITE = os.environ.get("DEBIAN_SUITE", "bookworm")
# What a machine has that a minimal root has not: an init, a D-Bus, certificates.
MORE = "systemd,dbus,ca-certificates"
BINFMT = Path("/proc/sys/fs/binfmt_misc")
# How the kernel knows a program for arm64, and with `F` keeps qemu open so that the root needs none.
ARM64 = (
    r":loquat-arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    ":/usr/bin/qemu-aarch64-static:F"
)


def be_alone():
    """Goes on as root in mounts of its own, so that nothing that is mounted here is seen, or left, elsewhere."""
    if os.geteuid():
        raise SystemExit("The roots need root's rights; run it with sudo.")
    if "LOQUAT_MOUNTS_OF_ITS_OWN" not in os.environ:
        os.environ["LOQUAT_MOUNTS_OF_ITS_OWN"] = "1"
        os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])


def own_architecture():
    return subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()


class Emulation:
    """While it is open, programs for arm64 run here."""

    def __init__(self, wanted):
        self.wanted = wanted and own_architecture() != "arm64"
        self.mounted = self.told = False

    def __enter__(self):
        if self.wanted and not self.is_there():
            if not (BINFMT / "register").exists():
                subprocess.check_call(["mount", "-t", "binfmt_misc", "binfmt_misc", str(BINFMT)])
                self.mounted = True
            (BINFMT / "register").write_text(ARM64)
            self.told = True
        return self

    def is_there(self):
        return any((BINFMT / name).exists() for name in ("qemu-aarch64", "loquat-arm64"))

    def __exit__(self, *_):
        if self.told:
            (BINFMT / "loquat-arm64").write_text("-1")
        if self.mounted:
            subprocess.call(["umount", str(BINFMT)])


class Root:
    """A copy of the clean root, removed when it is closed."""

    def __init__(self, folder, architecture):
        self.architecture = architecture
        base = clean(folder, architecture)
        self.path = folder / f"root-{architecture}-{os.getpid()}"
        subprocess.check_call(["cp", "-a", "--reflink=auto", str(base), str(self.path)])
        self.mounts = []

    def __enter__(self):
        for kind, place in (("proc", "proc"), ("sysfs", "sys"), ("tmpfs", "run"), ("tmpfs", "dev/shm")):
            (self.path / place).mkdir(exist_ok=True)
            self.mount("-t", kind, kind, place=place)
        for device in ("null", "zero", "random", "urandom", "full", "tty"):
            (self.path / "dev" / device).touch()
            self.mount("--bind", f"/dev/{device}", place=f"dev/{device}")
        shutil.copy("/etc/resolv.conf", self.path / "etc/resolv.conf")
        return self

    def mount(self, *arguments, place):
        subprocess.check_call(["mount", *arguments, str(self.path / place)])
        self.mounts.append(place)

    def __exit__(self, *_):
        for place in reversed(self.mounts):
            subprocess.call(["umount", "--lazy", str(self.path / place)])
        shutil.rmtree(self.path, ignore_errors=True)

    def run(self, *command, check=True, timeout=900, environment=None, **more):
        """Runs a command within and gives what it said on standard output."""
        done = self.popen(*command, environment=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **more)
        said, _ = done.communicate(timeout=timeout)
        said = said.decode(errors="replace")
        if check and done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode} in the root for {self.architecture}:\n{said}")
        return said

    def popen(self, *command, environment=None, **more):
        given = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        return subprocess.Popen(["chroot", str(self.path), *command], env=given | (environment or {}), **more)

    def files(self):
        """Everything on the disk of the root, with what it holds by size."""
        skip = {"proc", "sys", "dev", "run", "tmp"}
        found = {}
        for top in sorted(set(os.listdir(self.path)) - skip):
            for folder, folders, names in os.walk(self.path / top):
                for name in folders + names:
                    path = Path(folder) / name
                    found[str(path.relative_to(self.path))] = None if path.is_dir() else path.lstat().st_size
        return found


def clean(folder, architecture):
    """The root that is copied; made by debootstrap the first time."""
    base = folder / f"clean-{SUITE}-{architecture}"
    if not (base / ".made").exists():
        print(f"Making a clean Debian root for {architecture}, once.", flush=True)
        shutil.rmtree(base, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
        command = ["debootstrap", "--variant=minbase", f"--include={MORE}", f"--arch={architecture}", SUITE, str(base), MIRROR]
        with open(folder / f"debootstrap-{architecture}.log", "w") as log:
            subprocess.check_call(command, stdout=log, stderr=subprocess.STDOUT)
        # A service is started by a person or a unit, not by being installed into a root.
        policy = base / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")
        policy.chmod(0o755)
        (base / ".made").touch()
    return base
