#!/usr/bin/env bash
# Searches with libFuzzer for inputs that break what reads them or take it too long: run.sh SECONDS [TARGET[,TARGET...]]
#
# Only our own crates get the fuzzer's counters, by the stable compiler, and without a sanitizer, which would slow down
# what is measured; everything else is what other builds use too. What is compared and searched most is optimised.
# What was found lies in target/fuzz/found/TARGET, and is tried first the next time.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:?usage: run.sh SECONDS [TARGET,...]}
all=(frame reply decoder schema persona mycroft settings skill wake_word wav gguf hive worker
    sentence_template sentence_text sentence_pack)
IFS=, read -ra targets <<<"${2:-}"
[ ${#targets[@]} -eq 0 ] && targets=("${all[@]}")

optimised=(
    loquat loquat-agent loquat-brain loquat-bus loquat-fuzz loquat-hive loquat-models loquat-orchestrator loquat-sentences
    loquat-skills loquat-speech loquat-wire loquat-workers
    aho-corasick fancy-regex jsonschema memchr referencing regex regex-automata regex-syntax serde serde_json strsim toml
    granit-parser toml_parser winnow
)
build=(cargo build --locked -p loquat-fuzz --features fuzzer)
for package in "${optimised[@]}"; do
    build+=(--config "profile.dev.package.$package.opt-level=2")
done
for target in "${targets[@]}"; do
    build+=(--bin "$target")
done
echo "Building ${targets[*]} with the fuzzer's counters. The first time this takes some minutes."
RUSTC_WORKSPACE_WRAPPER="$PWD/tests/fuzz/instrument.sh" "${build[@]}"

programs=${CARGO_TARGET_DIR:-target}/debug
kept=${CARGO_TARGET_DIR:-target}/fuzz
failed=()
for target in "${targets[@]}"; do
    found=$kept/found/$target corpus=$kept/corpus/$target log=$kept/$target.log
    mkdir -p "$found" "$corpus"
    corpora=("$corpus" "tests/fuzz/seeds/$target")
    case $target in
        persona) corpora+=(personas) ;;
        wake_word)
            mkdir -p "$kept/models"
            find "${LOQUAT_TEST_MODELS:-/nonexistent}" -name '*.tflite' -exec cp -u {} "$kept/models" \; 2>/dev/null || true
            corpora+=("$kept/models")
            ;;
    esac
    printf '%-17s %s s: ' "$target" "$seconds"
    # A hang is one after ten seconds; what takes longer than 100 ms of a processor is found by the target itself.
    if { [ -z "$(ls "$found")" ] || "$programs/$target" "$found"/*; } >"$log" 2>&1 &&
        "$programs/$target" -max_total_time="$seconds" -max_len=65536 -len_control=20 -timeout=10 -rss_limit_mb=2048 \
            -artifact_prefix="$found/" -print_final_stats=1 "${corpora[@]}" >>"$log" 2>&1; then
        echo "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log" | tail -n 1) inputs, nothing found"
    else
        failed+=("$target")
        echo "FOUND something; its end is in $log, the input in $found"
        grep -m 3 -E 'panicked|^[a-z_]+: |ERROR|allowed' "$log" || tail -n 5 "$log"
    fi
done
[ ${#failed[@]} -eq 0 ] || { echo "Red: ${failed[*]}"; exit 1; }
