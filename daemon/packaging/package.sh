#!/usr/bin/env bash
# Makes what is released, from programs that it builds first: usage: package.sh FOLDER [amd64] [arm64]
# In FOLDER/out there are then, for each architecture, a .deb and a tar.gz for one person's own folders, and SHA256SUMS.
# LOQUAT_SIGNING_KEY names the file of a minisign key, or else a key of gpg's, that signs the checksums.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=$(realpath -m "${1:?usage: package.sh FOLDER [amd64] [arm64]}")
shift
architectures=("$@")
[ $# -gt 0 ] || architectures=(amd64 arm64)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
programs=(loquat loquat-bus loquat-local-brain loquat-confine)
cargo_deb=3.8.0

# The program of this machine, which makes what packages hold beside programs.
here() { "$folder/$(dpkg --print-architecture)/build/release/loquat" "$@"; }

triple() { case $1 in amd64) echo x86_64-unknown-linux-gnu ;; arm64) echo aarch64-unknown-linux-gnu ;; esac; }

# Prints the folder in which the programs are; what builders say goes to standard error.
build() {
    if [ "$1" = "$(dpkg --print-architecture)" ]; then
        # In a folder of its own, since what is built to be run here has ggml for this processor alone.
        CARGO_TARGET_DIR="$folder/$1/build" KERNELS_FOR=all \
            CMAKE_CXX_FLAGS_RELEASE="-O3 -DNDEBUG" CMAKE_CXX_FLAGS_RELWITHDEBINFO="-O2 -g -DNDEBUG" \
            cargo build --locked --release -p loquat -p loquat-local-brain -p loquat-skills >&2
        echo "$folder/$1/build/release"
    elif [ "$1" = arm64 ]; then
        ./daemon/packaging/cross.sh "$folder/arm64" >&2
        echo "$folder/arm64/build/$(triple arm64)/release"
    else
        echo "No way to build for $1 on this machine." >&2
        return 1
    fi
}

# Names are the same for each architecture; only the programs differ.
stripped() {
    local prefix=
    [ "$1" = "$(dpkg --print-architecture)" ] || prefix=$(triple "$1" | sed 's/-unknown//')-
    local strip=${prefix}strip root=$folder/arm64/root
    if command -v "$strip" >/dev/null; then
        "$strip" -o "$3" "$2"
    else
        # The root in which it was built has one.
        "$root/lib64/ld-linux-x86-64.so.2" --library-path "$root/usr/lib/x86_64-linux-gnu" "$root/usr/bin/$strip" -o "$3" "$2"
    fi
}

# The pack of sentences, so that a device without a network understands them: prints the file, whose checksum was compared.
pack() {
    local loquat=(here --set "models.folder=\"$folder/models\"") listed name
    local of_kind='import json, sys; print(next(m[sys.argv[1]] for m in json.load(sys.stdin) if m["kind"] == "sentences"))'
    listed=$("${loquat[@]}" models --json)
    name=$(python3 -c "$of_kind" name <<< "$listed")
    { "${loquat[@]}" models fetch "$name" || python3 tests/models/assemble.py "$name" --loquat "$folder/$(dpkg --print-architecture)/build/release/loquat" "${loquat[@]:1}"; } >&2
    "${loquat[@]}" models verify "$name" >&2
    listed=$("${loquat[@]}" models --json)
    python3 -c "$of_kind" path <<< "$listed"
}

# The licences of all that a package holds. That of the program itself is at the end, whole.
copyright() { cat daemon/packaging/copyright && sed 's/^$/./; s/^/ /' LICENSE; }

# What a package is made of, in the folder where cargo-deb looks for programs.
stage() {
    local architecture=$1 built=$2 stage=$folder/stage/$1/$(triple "$1")/release program
    rm -rf "$folder/stage/$architecture"
    mkdir -p "$stage/papers/gz" "$stage/papers/sentences"
    for program in "${programs[@]}"; do stripped "$architecture" "$built/$program" "$stage/$program"; done
    here papers "$stage/papers" >&2
    for page in "$stage"/papers/man1/*; do gzip -9nc "$page" > "$stage/papers/gz/$(basename "$page").gz"; done
    sed 's#^ExecStart=%h/.local/bin/#ExecStart=/usr/bin/#' systemd/user/loquat.service > "$stage/papers/loquat.service"
    gzip -9nc CHANGELOG.md > "$stage/papers/changelog.gz"
    copyright > "$stage/papers/copyright"
    install -m644 -t "$stage/papers/sentences" "$sentences"
    echo "$stage"
}

there_is_cargo_deb() {
    [ "$(cargo deb --version 2>/dev/null)" = "$cargo_deb" ] && return
    echo "Installing cargo-deb $cargo_deb, which takes some minutes."
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=2 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --quiet --locked --force --version "$cargo_deb" cargo-deb
}

deb() {
    CARGO_TARGET_DIR=$folder/stage/$1 cargo deb --quiet --locked --no-build --no-strip -p loquat --target "$(triple "$1")" \
        --deb-version "${LOQUAT_DEB_VERSION:-$version-1}" --output "$folder/out/loquat_${LOQUAT_DEB_VERSION:-$version-1}_$1.deb"
}

archive() {
    local name stage=$2 tree
    name=loquat-$version-$(triple "$1")
    tree=$folder/stage/$1/$name
    mkdir -p "$tree/bin"
    for program in "${programs[@]}"; do install -m755 "$stage/$program" "$tree/bin/$program"; done
    cp -r "$stage/papers/man1" "$stage/papers/completions" "$stage/papers/sentences" "$stage/papers/copyright" "$tree/"
    cp systemd/user/loquat.service daemon/packaging/install.sh daemon/loquat.sample.toml README.md CHANGELOG.md LICENSE "$tree/"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" \
        -C "$folder/stage/$1" -cf - "$name" | gzip -9n > "$folder/out/$name.tar.gz"
}

# A list without a signature says only that nothing was damaged on the way.
sign() {
    cd "$folder/out"
    rm -f SHA256SUMS.minisig SHA256SUMS.asc
    sha256sum ./*.deb ./*.tar.gz | sed 's#\./##' > SHA256SUMS
    local key=${LOQUAT_SIGNING_KEY:-}
    if [ -z "$key" ]; then
        echo "SHA256SUMS is NOT SIGNED: LOQUAT_SIGNING_KEY names no key."
    elif [ -f "$key" ]; then
        minisign -S -s "$key" -m SHA256SUMS </dev/null
    else
        gpg --batch --yes --armor --local-user "$key" --output SHA256SUMS.asc --detach-sign SHA256SUMS
    fi
}

there_is_cargo_deb
mkdir -p "$folder/out"
for architecture in "${architectures[@]}"; do
    rm -f "$folder"/out/*"_$architecture.deb" "$folder"/out/*"$(triple "$architecture").tar.gz"
    built=$(build "$architecture")
    sentences=$(pack)
    staged=$(stage "$architecture" "$built")
    deb "$architecture"
    archive "$architecture" "$staged"
done
sign
ls -l "$folder/out"
