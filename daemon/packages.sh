#!/usr/bin/env bash
# Installs the Debian packages that Loquat needs to be built (`build`), tested (`test`), packaged (`package`) and timed beside
# Home Assistant (`assist`). Says which and why before it does, uses sudo for nothing else, and does nothing when all are there.
set -euo pipefail

purpose=${1:?usage: packages.sh build|test|package|assist}

needed=(
    "build-essential|compiles whisper.cpp and llama.cpp"
    "cmake|configures them"
    "libclang-dev|reads the headers of llama.cpp"
    "pkg-config|finds ALSA"
    "libasound2-dev|the microphone through ALSA"
    "python3|assembles models where the model hub cannot be reached"
    "python3-venv|the same, in an environment of its own"
)
# Speech is of use to a person at once, but nothing fails without it.
wished=("espeak-ng|speaks the answers when no OVOS audio service does")
for_tests=(
    "espeak-ng|speaks the questions of the tests"
    "pulseaudio|a virtual microphone"
    "pulseaudio-utils|plays sound into it"
    "libasound2-plugins|lets ALSA reach it"
    "systemd|checks the units"
    "libfaketime|moves the clock of a daemon"
    "fuse3|lets a user mount a disk that loses what was not synced"
    "pipewire-pulse|a sound server in the place of PulseAudio"
    "dbus|a D-Bus of its own for each test"
    "libglib2.0-bin|asks over it as GNOME does"
    "chromium|looks at the page"
    "openssl|makes a certificate for it"
    "mpv|a media player"
    "mpv-mpris|lets D-Bus reach it"
    "python3-dbus|a media player that lies"
    "python3-gi|lets it wait for calls"
    "nats-server|carries turns to workers"
    "python3-dbusmock|stands in for the services of a device"
)
for_packages=(
    "debootstrap|makes the roots in which Loquat is built for arm64, installed and booted"
    "qemu-user-static|runs programs for arm64"
)
for_assist=("ffmpeg|turns the voice of Home Assistant into what it plays")

is_there() {
    case $1 in
        # Any Python with venv will do, also one that is not Debian's.
        python3) command -v python3 >/dev/null ;;
        python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
        *) dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'ok installed' ;;
    esac
}

wanted=("${needed[@]}" "${wished[@]}")
[ "$purpose" = test ] && wanted+=("${for_tests[@]}")
[ "$purpose" = package ] && wanted+=("${for_packages[@]}")
[ "$purpose" = assist ] && wanted+=("${for_assist[@]}")
missing=()
for entry in "${wanted[@]}"; do
    name=${entry%%|*}
    if ! is_there "$name" && [[ " ${missing[*]-} " != *" $name "* ]]; then
        [ ${#missing[@]} -eq 0 ] && echo "These Debian packages are missing:"
        printf '  %-20s %s\n' "$name" "${entry#*|}"
        missing+=("$name")
    fi
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
    echo "This is no Debian machine: install what corresponds to them, then run make again." >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Install them as root, then run make again:  apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing them with apt-get."
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq || echo "The package lists could not be refreshed; trying with the old ones." >&2
if ! "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; then
    echo "apt-get failed. Run it by hand to see why, then make again:  apt-get install ${missing[*]}" >&2
    exit 1
fi
