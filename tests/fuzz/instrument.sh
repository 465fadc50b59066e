#!/usr/bin/env bash
# Calls the compiler for one of our crates with what libFuzzer needs: counters for every edge and every comparison.
# Programs that run during the build get none, since nothing there would count.
set -euo pipefail

for argument in "$@"; do
    case $argument in
        build_script_build | proc-macro) exec "$@" ;;
    esac
done
exec "$@" \
    -C passes=sancov-module \
    -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters \
    -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares
