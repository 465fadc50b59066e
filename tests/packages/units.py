#!/usr/bin/env python3
"""Boots systemd in a root of its own with the package installed, and plays what may happen to both units.
usage: units.py TARGET      TARGET/packages/out holds what `make packages` has built. Needs root."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from install import SUM, SUM_ANSWER, check, install  # noqa: E402
from root import Root, be_alone, own_architecture  # noqa: E402

HERE = Path(__file__).parent
KEY = "sk-planted-7c1f9e"
PORT = 11434
# What a booted machine has that a root cannot have, or that would only cost time.
MASKED = ["systemd-udevd", "systemd-sysctl", "systemd-modules-load", "systemd-random-seed", "systemd-udev-trigger",
          "systemd-timesyncd", "systemd-resolved", "systemd-networkd", "getty@tty1", "console-getty", "apt-daily.timer",
          "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_reap", "fstrim.timer"]


def persona(name):
    return json.dumps({
        "name": name,
        "handlers": ["ovos-native-toolcall-loop"],
        "ovos-native-toolcall-loop": {
            "brain": "ovos-chat-openai-plugin",
            "toolboxes": [],
            "ovos-chat-openai-plugin": {"api_url": f"http://127.0.0.1:{PORT}/v1", "model": "one", "key": {"credential": "openai"}},
        },
    })


class Machine:
    """The booted root."""

    def __init__(self, root):
        self.root = root

    def __enter__(self):
        # The mounts of a root that is only entered are in the way of those of one that boots.
        for place in reversed(self.root.mounts):
            subprocess.call(["umount", "--lazy", str(self.root.path / place)])
        self.root.mounts = []
        self.log = open(self.root.path.parent / "boot.log", "wb")
        unshare = ["unshare", "--pid", "--mount", "--ipc", "--uts", "--cgroup", "--net", "--fork", "--kill-child=KILL",
                   "--propagation", "private"]
        self.outer = subprocess.Popen([*unshare, str(HERE / "boot.sh"), str(self.root.path)], stdin=subprocess.DEVNULL,
                                      stdout=self.log, stderr=self.log)
        self.init = until(lambda: self.child(), 10, "the root never booted; see boot.log")
        until(lambda: self.run("systemctl", "is-system-running", check=False).strip() in ("running", "degraded"), 60,
              "systemd never came up; see boot.log")
        return self

    def child(self):
        children = Path(f"/proc/{self.outer.pid}/task/{self.outer.pid}/children").read_text().split()
        return children and "systemd" in os.readlink(f"/proc/{children[0]}/exe") and children[0]

    def __exit__(self, *_):
        self.outer.kill()
        self.outer.wait()

    def enter(self, *command, spaces=("--all",)):
        return ["nsenter", "--target", str(self.init), *spaces, *command]

    def run(self, *command, check=True, timeout=120):
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8"}
        done = subprocess.run(self.enter(*command), env=environment, timeout=timeout, text=True, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if check and done.returncode:
            raise SystemExit(f"FAILED: {' '.join(command)} ended with {done.returncode}:\n{done.stdout}\n{self.journal()[-3000:]}")
        return done.stdout

    def journal(self):
        return self.run("journalctl", "--no-pager", "-o", "cat", check=False)


class Service:
    """Loquat's unit, of the machine or of a person."""

    def __init__(self, machine, person=None):
        self.machine, self.person = machine, person

    def command(self, *command):
        if not self.person:
            return command
        return ("runuser", "-u", self.person, "--", "env", "XDG_RUNTIME_DIR=/run/user/1000", f"HOME=/home/{self.person}", *command)

    def run(self, *command, **more):
        return self.machine.run(*self.command(*command), **more)

    def systemctl(self, *arguments, **more):
        return self.run("systemctl", *(["--user"] if self.person else []), *arguments, **more)

    def show(self, name):
        return self.systemctl("show", "loquat", "--value", "-p", name).strip()

    def is_up_as_another(self, before):
        return self.show("ActiveState") == "active" and self.show("MainPID") not in (before, "0")

    def ask(self, question):
        return self.run("loquat", "ask", *question.split()).strip()

    def come_back(self, before, patience, what):
        started = time.monotonic()
        until(lambda: self.is_up_as_another(before), patience, f"{what}: it did not come back")
        took = time.monotonic() - started
        check(SUM_ANSWER in self.ask(SUM), f"{what}: it came back and does not answer")
        return took


def until(holds, patience, otherwise):
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.1)
    raise SystemExit(f"FAILED: {otherwise}")


def told(what, verdict):
    print(f"  {what:58} {verdict}", flush=True)


def prepare(root, package):
    root.run("apt-get", "update", "-qq")
    root.run("apt-get", "install", "-y", "-qq", "--no-install-recommends", "libpam-systemd", "dbus-user-session")
    install(root, package)
    root.run("systemctl", "--root=/", "mask", *MASKED, check=False)
    root.run("useradd", "--create-home", "--uid", "1000", "--shell", "/bin/bash", "pi")
    (root.path / "usr/sbin/policy-rc.d").unlink()
    for folder in ("etc/loquat/personas", "etc/systemd/system/loquat.service.d"):
        (root.path / folder).mkdir(parents=True, exist_ok=True)
    key = root.path / "etc/loquat/openai.key"
    key.write_text(KEY + "\n")
    key.chmod(0o600)
    (root.path / "etc/loquat/personas/first.json").write_text(persona("First"))
    (root.path / "etc/systemd/system/loquat.service.d/key.conf").write_text(
        "[Service]\nLoadCredential=openai:/etc/loquat/openai.key\n")


def start(service):
    started = time.monotonic()
    service.systemctl("start", "loquat")
    took = time.monotonic() - started
    check(service.show("ActiveState") == "active", "it is not active after it was started")
    check("answers" in service.show("StatusText"), f"the status line says {service.show('StatusText')!r}")
    check(SUM_ANSWER in service.ask(SUM), "it does not answer")
    told("start to ready", f"{took:.1f} s")


def hold(service):
    """What the unit has taken away from the process."""
    status = service.machine.run("cat", f"/proc/{service.show('MainPID')}/status")
    lines = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    check(int(lines["CapEff"], 16) == 0, f"it has capabilities: {lines['CapEff']}")
    check((lines["Seccomp"], lines["NoNewPrivs"]) == ("2", "1"), "no filter of system calls holds it")
    if not service.person:
        check(lines["Uid"].split()[0] != "0", "it runs as root")
        said = service.machine.run("systemd-analyze", "security", "--no-pager", "loquat.service")
        exposure = float(re.search(r"exposure level for loquat.service: ([\d.]+)", said)[1])
        check(exposure <= 2.0, f"its exposure is {exposure}")
        told("exposure (systemd-analyze security, of the running unit)", exposure)


def credential(service, seen):
    said = service.ask("--persona First hello there")
    check("The server has answered" in said, f"the persona said {said!r}")
    check(seen.read_text().splitlines()[-1] == f"Bearer {KEY}", f"the server was sent {seen.read_text()!r}")
    shown = service.machine.journal() + service.systemctl("show", "loquat")
    check(KEY not in shown, "the key stands in the journal or in the properties of the unit")
    told("a key by LoadCredential= reaches the server, not the journal", "ok")


def reload(service, seen):
    before = service.show("MainPID")
    machine = service.machine
    asked = len(seen.read_text().splitlines())
    asking = subprocess.Popen(machine.enter("loquat", "ask", "--persona", "First", "answer", "slowly"), text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env={"PATH": "/usr/bin:/bin", "HOME": "/root"})
    until(lambda: len(seen.read_text().splitlines()) > asked and asking.poll() is None, 10, "the slow question was not asked")
    (machine.root.path / "etc/loquat/personas/second.json").write_text(persona("Second"))
    started = time.monotonic()
    service.systemctl("reload", "loquat")
    took = time.monotonic() - started
    until(lambda: service.show("ActiveState") == "active", 10, "it stayed reloading")
    until(lambda: "The server has answered" in service.ask("--session other --persona Second hello"), 10, "the new persona does not answer")
    Path(f"{seen}.go").touch()
    said, _ = asking.communicate(timeout=60)
    check("The server has answered" in said, f"the turn during the reload came to {said!r}")
    mistake = machine.root.path / "etc/loquat/loquat.d/mistake.toml"
    mistake.parent.mkdir(exist_ok=True)
    mistake.write_text("[desk]\npersonna = \"First\"\n")
    service.systemctl("reload", "loquat")
    until(lambda: "personna" in machine.journal(), 10, "a mistake in the settings was not told")
    # `loquat ask` reads the same files and would refuse them.
    mistake.unlink()
    check(SUM_ANSWER in service.ask(SUM), "a mistake in the settings stopped what worked")
    service.systemctl("reload", "loquat")
    check(service.show("MainPID") == before, "a reload started it again")
    told("reload: new persona, turn kept, mistake told and harmless", f"{took:.2f} s")


def fields(service):
    """What the journal knows of a turn beside its text."""
    service.ask(SUM)
    said = service.machine.run("journalctl", "--no-pager", "-o", "json", "_SYSTEMD_UNIT=loquat.service")
    entries = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    ends = [entry for entry in entries if "LOQUAT_TURN" in entry and "LOQUAT_REASON" in entry]
    check(ends, "no entry of the journal has the fields of a turn's end")
    for name in ("LOQUAT_TURN", "LOQUAT_SESSION", "LOQUAT_PERSONA", "LOQUAT_REASON", "LOQUAT_ELAPSED_MS"):
        check(name in ends[-1], f"the end of a turn has no {name} in the journal: {ends[-1]}")
    check(SUM not in said, "what was said stands in the journal")
    found = service.machine.run("journalctl", "--no-pager", "-o", "cat", f"LOQUAT_TURN={ends[-1]['LOQUAT_TURN']}")
    check(found.strip(), "no entry is found by its turn")
    told("journal: a turn's fields, and no words of a person", "ok")


def kill(service):
    before = service.show("MainPID")
    service.machine.run("sh", "-c", f"kill -9 {before}")
    took = service.come_back(before, 15, "kill -9")
    check(service.show("NRestarts") == "1", f"it was restarted {service.show('NRestarts')} times")
    told("kill -9 to ready again (RestartSec=2 of it)", f"{took:.1f} s")


def hang(service):
    before = service.show("MainPID")
    allowed = 30 + 3 + 2
    service.machine.run("sh", "-c", f"kill -STOP {before}")
    took = service.come_back(before, allowed + 10, "watchdog")
    check(took <= allowed, f"the watchdog took {took:.1f} s, {allowed} s are allowed")
    told("frozen (SIGSTOP) to ready again (WatchdogSec=30, RestartSec=2)", f"{took:.1f} s")


def stop(service):
    started = time.monotonic()
    service.systemctl("stop", "loquat")
    check(service.show("Result") == "success", f"it ended with {service.show('Result')}")
    told("stop", f"{time.monotonic() - started:.1f} s")


def serve_model(machine, seen):
    seen.touch()
    command = [sys.executable, str(HERE / "model_server.py"), str(PORT), str(seen)]
    return subprocess.Popen(machine.enter(*command, spaces=("--net",)))


def system_unit(machine, seen):
    print("system unit:", flush=True)
    service = Service(machine)
    start(service)
    hold(service)
    credential(service, seen)
    fields(service)
    reload(service, seen)
    kill(service)
    hang(service)
    stop(service)


def user_unit(machine):
    print("user unit:", flush=True)
    machine.run("loginctl", "enable-linger", "pi")
    service = Service(machine, "pi")
    until(lambda: service.systemctl("is-system-running", check=False).strip() in ("running", "degraded"), 30,
          "the person's systemd never came up")
    service.run("mkdir", "-p", "/home/pi/.config/loquat")
    service.systemctl("enable", "loquat")
    start(service)
    hold(service)
    before = service.show("MainPID")
    service.systemctl("reload", "loquat")
    check(service.show("MainPID") == before and SUM_ANSWER in service.ask(SUM), "a reload broke it")
    told("reload", "ok")
    kill(service)
    hang(service)
    stop(service)


def main():
    folder = Path(sys.argv[1]).resolve() / "packages"
    packages = sorted((folder / "out").glob(f"loquat_*_{own_architecture()}.deb"))
    check(packages, f"there is no package in {folder / 'out'}; run make packages first")
    seen = folder / "roots/model-server"
    for old in (seen, Path(f"{seen}.go")):
        old.unlink(missing_ok=True)
    with Root(folder / "roots", own_architecture()) as root:
        prepare(root, packages[-1])
        with Machine(root) as machine:
            server = serve_model(machine, seen)
            try:
                system_unit(machine, seen)
                user_unit(machine)
            finally:
                server.kill()
                (folder / "roots/journal.log").write_text(machine.journal())


if __name__ == "__main__":
    be_alone()
    main()
