#!/usr/bin/env python3
"""Installs, upgrades and purges the packages in clean roots, asks the programs questions, and prints sizes, times and memory.
usage: install.py TARGET [amd64] [arm64]      TARGET/packages/out holds what `make packages` has built. Needs root."""

import hashlib
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from root import Emulation, Root, be_alone, own_architecture  # noqa: E402

TRIPLES = {"amd64": "x86_64-unknown-linux-gnu", "arm64": "aarch64-unknown-linux-gnu"}
PROGRAMS = ["loquat", "loquat-bus", "loquat-local-brain", "loquat-confine"]
MODEL = "smollm2-135m-instruct-q4_1"
MODELS = Path(os.environ.get("LOQUAT_TEST_MODELS", Path.home() / ".local/share/loquat/models"))
# Where dpkg, apt and the dynamic linker keep books of their own, and what is said to be a copy of another file.
BOOKS = ("var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "var/lib/systemd/deb-systemd-helper", "etc/ld.so.cache", "etc/.pwd.lock")
BACKUPS = ("etc/passwd-", "etc/group-", "etc/shadow-", "etc/gshadow-", "etc/subuid-", "etc/subgid-")
# The smallest model is too small for tools, and so gets none.
PERSONA = {"name": "Small", "handlers": ["ovos-native-toolcall-loop"],
           "ovos-native-toolcall-loop": {"brain": "loquat-local-brain", "toolboxes": []},
           # An emulated processor takes minutes for a sentence.
           "loquat-local-brain": {"first_token_timeout_seconds": 1500, "next_token_timeout_seconds": 300,
                                  "timeout_seconds": 1700},
           "budget": {"max_iterations": 2, "deadline_seconds": 1750},
           "system_prompt": "You are a helpful voice assistant. Answer in one short sentence."}
SUM, SUM_ANSWER = "what is 35 percent of 1840?", "644"


def check(holds, what):
    if not holds:
        raise SystemExit(f"FAILED: {what}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Person:
    """Who asks in the root, with a home of their own that no package touches."""

    def __init__(self, root, program="loquat"):
        self.root, self.program = root, program
        self.settings = [f"--set=bus.port={free_port()}", f"--set=local_brain.model={MODEL}", "--set=models.folder=/tmp/models"]
        self.environment = {"HOME": "/tmp/person", "XDG_RUNTIME_DIR": "/tmp/person"}
        (root.path / "tmp/person").mkdir(exist_ok=True)

    def ask(self, question, *more):
        asked = (self.program, *self.settings, "ask", *more, question)
        return self.root.run(*asked, environment=self.environment, timeout=1800).strip()

    def daemon(self):
        return Daemon(self)


class Daemon:
    """`loquat run`, ended when it is closed."""

    def __init__(self, person):
        self.person = person

    def __enter__(self):
        root, person = self.person.root, self.person
        log = open(root.path / "tmp/daemon.log", "wb")
        self.process = root.popen(person.program, *person.settings, "run", environment=person.environment,
                                  stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def memory(self):
        """The most that the daemon, and the model's process, have held, in MiB."""
        own = self.process.pid
        children = [pid for pid in os.listdir("/proc") if pid.isdigit() and status(pid).get("PPid") == str(own)]
        return most_held(own), max((most_held(child) for child in children), default=0)


def status(process):
    try:
        lines = Path(f"/proc/{process}/status").read_text().splitlines()
    except OSError:
        return {}
    return dict(line.split(":\t", 1) for line in lines if ":\t" in line)


def most_held(process):
    return int(status(process).get("VmHWM", "0 kB").split()[0]) // 1024


def newer(package, folder):
    """The same package in a later version, to upgrade to."""
    tree = folder / "newer"
    shutil.rmtree(tree, ignore_errors=True)
    subprocess.check_call(["dpkg-deb", "-R", str(package), str(tree)])
    control = tree / "DEBIAN/control"
    lines = control.read_text().splitlines(keepends=True)
    control.write_text("".join("Version: 9.9.9-1\n" if line.startswith("Version:") else line for line in lines))
    with open(tree / "etc/loquat/loquat.toml", "a") as sample:
        sample.write("\n# Of a later version.\n")
    sums = tree / "DEBIAN/md5sums"
    sums.unlink(missing_ok=True)
    built = folder / "newer.deb"
    subprocess.check_call(["dpkg-deb", "-Zgzip", "-z1", "-b", str(tree), str(built)], stdout=subprocess.DEVNULL)
    shutil.rmtree(tree)
    return built


def install(root, package):
    shutil.copy(package, root.path / "tmp/loquat.deb")
    root.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "-o", "Dpkg::Options::=--force-confold", "/tmp/loquat.deb")


def enabled(root, *scope):
    return root.run("systemctl", "--root=/", *scope, "is-enabled", "loquat", check=False).strip()


def look_at_sentences(root):
    """Those of the pack are there without a network, and where they come from is said."""
    packs = list((root.path / "usr/share/loquat").glob("home_assistant_intents-*.whl"))
    check(len(packs) == 1, f"the package brings {len(packs)} packs of sentences")
    listed = json.loads(root.run("loquat", "models", "--json", environment={"HOME": "/tmp/person"}))
    states = {model["path"]: model["state"]["state"] for model in listed if model["kind"] == "sentences"}
    check(states == {f"/usr/share/loquat/{packs[0].name}": "complete"}, f"the pack of sentences is listed as {states}")
    told = (root.path / "usr/share/doc/loquat/copyright").read_text()
    for text in ("The Loquat authors", "home_assistant_intents-*.whl", "OHF-Voice/intents", "TERMS AND CONDITIONS"):
        check(text in told, f"the file of licences does not say {text}")


def look_at_installed(root):
    check(enabled(root) == "disabled", f"the system unit is {enabled(root)} after it was installed")
    check(enabled(root, "--global") == "disabled", f"the user unit is {enabled(root, '--global')} after it was installed")
    conffiles = root.run("dpkg-query", "-W", "-f", "${Conffiles}", "loquat")
    check("/etc/loquat/loquat.toml" in conffiles, f"loquat.toml is no conffile: {conffiles}")
    check(root.run("getent", "passwd", "loquat").startswith("loquat:"), "there is no user loquat")
    unit = (root.path / "usr/lib/systemd/user/loquat.service").read_text()
    check("ExecStart=/usr/bin/loquat run" in unit, "the user unit starts another program")
    pages = [f"usr/share/man/man1/{name}.1.gz" for name in (*PROGRAMS, "loquat-ask")]
    for file in (*pages, "usr/share/bash-completion/completions/loquat",
                 "usr/share/zsh/vendor-completions/_loquat", "usr/share/fish/vendor_completions.d/loquat.fish",
                 "usr/share/dbus-1/system.d/org.loquat.Loquat1.conf", "usr/share/doc/loquat/copyright"):
        check((root.path / file).exists(), f"/{file} is missing")
    look_at_sentences(root)
    missing = [name for name in PROGRAMS if "not found" in root.run("ldd", f"/usr/bin/{name}", check=False)]
    check(not missing, f"the package names too few dependencies for {missing}")


def ask_all(root, figures):
    person = Person(root)
    shutil.copytree(MODELS, root.path / "tmp/models", ignore=lambda _, names: [name for name in names if MODEL not in name])
    personas = root.path / "tmp/person/.config/ovos_persona"
    personas.mkdir(parents=True, exist_ok=True)
    (personas / "small.json").write_text(json.dumps(PERSONA))
    with person.daemon() as daemon:
        check(SUM_ANSWER in person.ask(SUM), "the sum was answered wrongly beside the daemon")
        started = time.monotonic()
        said = person.ask("What is the moon?", "--persona=Small")
        figures["model answered in s"] = f"{time.monotonic() - started:.1f}"
        check("moon" in said.lower(), f"the model said {said!r}")
        print(f"  the model said: {said[:120]}")
        figures["daemon MiB"], figures["model MiB"] = daemon.memory()


def upgrade(root, package, folder):
    settings = root.path / "etc/loquat/loquat.toml"
    edited = settings.read_text().replace("#port = 8181", "port = 8181", 1) + "\n# The owner's own line.\n"
    settings.write_text(edited)
    root.run("systemctl", "--root=/", "enable", "loquat")
    state = root.path / "var/lib/private/loquat"
    state.mkdir(parents=True)
    (state / "state.db").write_text("what was said")
    install(root, newer(package, folder))
    check("9.9.9" in root.run("dpkg-query", "-W", "loquat"), "it was not upgraded")
    check(settings.read_text() == edited, "an upgrade changed the owner's settings")
    check(enabled(root) == "enabled", "an upgrade disabled the unit")
    check((state / "state.db").exists(), "an upgrade lost the state")
    check(SUM_ANSWER in Person(root).ask(SUM), "the sum was answered wrongly after the upgrade")


def leftovers(before, after):
    new = [path for path in after if path not in before]
    return [path for path in new if not path.startswith(BOOKS) and path not in BACKUPS]


def purge(root, before):
    root.run("apt-get", "purge", "-y", "-qq", "loquat")
    root.run("apt-get", "autoremove", "--purge", "-y", "-qq")
    left = leftovers(before, root.files())
    check(not left, "purge left: " + ", ".join(left[:20]))
    users = (root.path / "etc/passwd").read_text() + (root.path / "etc/group").read_text()
    check("loquat" not in users, "purge left the user loquat")
    helper = root.path / "var/lib/systemd/deb-systemd-helper-enabled"
    check(not list(helper.rglob("*loquat*")), "purge left the unit enabled")


def archive(root, file):
    """The tar.gz, for a person without rights."""
    root.run("useradd", "--create-home", "pi")
    home = root.path / "home/pi"
    subprocess.check_call(["tar", "-C", str(home), "-xzf", str(file)])
    folder = next(home.glob("loquat-*"))
    as_person = ["runuser", "-u", "pi", "--", "env", "HOME=/home/pi"]
    before = set(root.files())
    said = root.run(*as_person, f"/home/pi/{folder.name}/install.sh")
    check("Installed loquat" in said, said)
    check((home / ".config/systemd/user/loquat.service").exists(), "the user unit is missing")
    check(list((home / ".local/share/loquat").glob("home_assistant_intents-*.whl")), "the pack of sentences is missing")
    person = Person(root, "/home/pi/.local/bin/loquat")
    check(SUM_ANSWER in person.ask(SUM), "the sum was answered wrongly from the archive")
    root.run(*as_person, f"/home/pi/{folder.name}/install.sh", "--uninstall")
    left = [path for path in set(root.files()) - before if not (root.path / path).is_dir()]
    check(not left, f"the installer left {left}")
    root.run("userdel", "--remove", "pi", check=False)


def role(root, file):
    """The Ansible role, from a release that lies in a folder, as a playbook of ovos-installer's would call it."""
    root.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "ansible-core", "sudo", "acl")
    root.run("useradd", "--create-home", "ovos")
    release = root.path / "tmp/release"
    release.mkdir()
    shutil.copy(file, release)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    (release / "SHA256SUMS").write_text(f"{digest}  {file.name}\n")
    shutil.copytree(Path(__file__).parents[2] / "daemon/packaging/ansible/loquat", root.path / "tmp/roles/loquat")
    play = {"hosts": "localhost", "connection": "local", "roles": [{"role": "loquat", "vars": {
        "loquat_release_url": "file:///tmp/release", "loquat_version": file.name.split("-")[1], "ovos_installer_user": "ovos",
        "ovos_installer_user_home": "/home/ovos", "loquat_fetch_models": False, "loquat_enabled": False,
        "loquat_settings": "# Written by the role.\n"}}]}
    (root.path / "tmp/play.yml").write_text(json.dumps([play]))
    for wanted in ("failed=0", "changed=0"):
        said = root.run("ansible-playbook", "/tmp/play.yml", environment={"ANSIBLE_ROLES_PATH": "/tmp/roles", "LC_ALL": "C.UTF-8"})
        check(wanted in said, f"the role did not come to {wanted}:\n{said}")
    check("Written by the role" in (root.path / "home/ovos/.config/loquat/loquat.toml").read_text(), "the role wrote no settings")
    check(SUM_ANSWER in Person(root, "/home/ovos/.local/bin/loquat").ask(SUM), "what the role installed answers wrongly")


def baseline(root, figures):
    """The oldest processor of the architecture: instructions that it does not know would end the program."""
    emulator = shutil.which("qemu-x86_64-static")
    if root.architecture != "amd64" or not emulator:
        return
    shutil.copy(emulator, root.path / "tmp/qemu")
    person = Person(root)
    settings = person.settings + ["--set=bus.embed=auto"]
    said = root.run("/tmp/qemu", "-cpu", "qemu64", "/usr/bin/loquat", *settings, "ask", SUM, environment=person.environment)
    check(SUM_ANSWER in said, f"on the oldest amd64 processor it said {said}")
    figures["oldest processor"] = "answers"


def try_architecture(folder, architecture, figures):
    packages = sorted((folder / "out").glob(f"loquat_*_{architecture}.deb"))
    check(packages, f"there is no package for {architecture} in {folder / 'out'}; run make packages first")
    package = packages[-1]
    tar = next((folder / "out").glob(f"loquat-*-{TRIPLES[architecture]}.tar.gz"))
    figures["deb MB"] = f"{package.stat().st_size / 1e6:.1f}"
    figures["tar.gz MB"] = f"{tar.stat().st_size / 1e6:.1f}"
    with Root(folder / "roots", architecture) as root:
        root.run("apt-get", "update", "-qq")
        # Files of the lists just fetched are no leftovers; a first install makes the folders that all later ones use.
        before = root.files()
        started = time.monotonic()
        install(root, package)
        figures["install s"] = f"{time.monotonic() - started:.1f}"
        check(SUM_ANSWER in Person(root).ask(SUM), "the first question was answered wrongly")
        figures["install to first answer s"] = f"{time.monotonic() - started:.1f}"
        size = sum((root.path / "usr/bin" / name).stat().st_size for name in PROGRAMS)
        figures["programs MB"] = f"{size / 1e6:.1f}"
        print("  installed; units disabled, conffile, user, papers: ", end="", flush=True)
        look_at_installed(root)
        print("ok")
        baseline(root, figures)
        ask_all(root, figures)
        archive(root, tar)
        print("  the archive installs for a person and uninstalls: ok")
        upgrade(root, package, folder)
        print("  an upgrade keeps settings, state and the enabled unit: ok")
        purge(root, before)
        print("  purge leaves nothing: ok")
        if architecture == own_architecture():
            role(root, tar)
            print("  the Ansible role installs, and changes nothing the second time: ok")


def table(all_figures):
    names = []
    for figures in all_figures.values():
        names += [name for name in figures if name not in names]
    print(f"\n{'':28}" + "".join(f"{architecture:>12}" for architecture in all_figures))
    for name in names:
        print(f"{name:28}" + "".join(f"{str(figures.get(name, '-')):>12}" for figures in all_figures.values()))
    emulated = [name for name in all_figures if name != own_architecture()]
    if emulated:
        print(f"{', '.join(emulated)} ran under qemu-user: times and memory are those of the emulator too.")


def main():
    folder = Path(sys.argv[1]).resolve() / "packages"
    architectures = sys.argv[2:] or ["amd64", "arm64"]
    be_alone()
    figures = {architecture: {} for architecture in architectures}
    with Emulation("arm64" in architectures):
        for architecture in architectures:
            print(f"{architecture}:", flush=True)
            try_architecture(folder, architecture, figures[architecture])
    table(figures)


if __name__ == "__main__":
    main()
