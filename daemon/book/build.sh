#!/usr/bin/env bash
# Builds the book into FOLDER: usage: build.sh FOLDER. Installs mdbook where it is missing.
set -euo pipefail
folder=$(realpath -m "${1:?usage: build.sh FOLDER}")
cd "$(dirname "$0")"
version=0.5.4
if [ "$(mdbook --version 2>/dev/null)" != "mdbook v$version" ]; then
    echo "Installing mdbook $version, which takes some minutes."
    CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --quiet --locked --force --no-default-features --features search --version "$version" mdbook
fi
mdbook build --dest-dir "$folder"
echo "The book is in $folder/index.html."
