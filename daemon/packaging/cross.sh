#!/usr/bin/env bash
# Builds the programs for arm64 on an amd64 machine, into FOLDER: usage: cross.sh FOLDER
# With rustup's target and Debian's cross compiler installed it builds right here. Without them it builds in a root of
# Debian 12, which debootstrap makes once below FOLDER; that takes root's rights, and changes nothing of the machine.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "${1:?usage: cross.sh FOLDER}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
target=aarch64-unknown-linux-gnu
# The first packages are those that the compiled program is made of, the others make it.
packages=(libstd-rust-web-dev:arm64 libasound2-dev:arm64 rustc-web cargo-web gcc-aarch64-linux-gnu g++-aarch64-linux-gnu
    gcc g++ libc6-dev cmake make pkg-config libclang-dev ca-certificates)

# GGML_CPU_ARM_ARCH is the oldest that a 64-bit Raspberry Pi has; faster kernels are chosen when the program starts.
environment=(
    CARGO_TARGET_DIR="$folder/build"
    CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    PKG_CONFIG_ALLOW_CROSS=1
    PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig
    BINDGEN_EXTRA_CLANG_ARGS=-I/usr/aarch64-linux-gnu/include
    GGML_CPU_ARM_ARCH=armv8-a
    KERNELS_FOR=all
    CMAKE_CXX_FLAGS_RELEASE="-O3 -DNDEBUG"
    CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g -DNDEBUG"
    CMAKE_SYSTEM_NAME=Linux
    CMAKE_SYSTEM_PROCESSOR=aarch64
)
build=(cargo build --locked --release --target "$target" -p loquat -p loquat-local-brain -p loquat-skills)

is_here() {
    command -v aarch64-linux-gnu-gcc >/dev/null && [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] &&
        [ -e /usr/lib/aarch64-linux-gnu/pkgconfig/alsa.pc ]
}

make_root() {
    [ -e "$folder/root/.made" ] && return
    command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }
    rm -rf "$folder/root"
    debootstrap --variant=minbase bookworm "$folder/root" "$mirror" >/dev/null
    printf 'deb %s %s main\n' "$mirror" bookworm "$mirror" bookworm-updates \
        "${mirror%debian}debian-security" bookworm-security > "$folder/root/etc/apt/sources.list"
    chroot "$folder/root" dpkg --add-architecture arm64
    chroot "$folder/root" apt-get update -qq
    DEBIAN_FRONTEND=noninteractive chroot "$folder/root" apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
    touch "$folder/root/.made"
}

# Source, crates and what is built lie where they lie outside, so that the paths in both are the same.
build_in_root() {
    local crates=${CARGO_HOME:-$HOME/.cargo}/registry root=$folder/root
    cargo fetch --locked --quiet
    mkdir -p "$root$PWD" "$root$folder/build" "$root/root/.cargo/registry" "$folder/build"
    mount --bind "$PWD" "$root$PWD"
    mountpoint -q "$root$folder/build" || mount --bind "$folder/build" "$root$folder/build"
    mount --bind "$crates" "$root/root/.cargo/registry"
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "${environment[@]}" \
        sh -c 'cd "$1" && shift && exec "$@"' sh "$PWD" "${build[@]}" --offline
}

mkdir -p "$folder"
if is_here; then
    env "${environment[@]}" "${build[@]}"
elif [ "$(id -u)" -ne 0 ]; then
    echo "Not built for arm64. Either install its parts (rustup target add $target; apt-get install gcc-aarch64-linux-gnu" >&2
    echo "g++-aarch64-linux-gnu libasound2-dev:arm64), or run this as root, which builds in a root of its own." >&2
    exit 1
elif [ -z "${IN_A_NAMESPACE:-}" ]; then
    make_root
    # What is mounted is seen by this process alone and goes with it.
    IN_A_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$folder"
else
    build_in_root
fi
