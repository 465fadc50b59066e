#!/usr/bin/env bash
# Runs one step of a `make` command: says what it is, shows what it prints, and says how long it took. Never hides a failure.
# usage: step.sh RECORD "what it does" COMMAND…   runs the step and adds its time to the file RECORD
#        step.sh RECORD begin "what the command will do"
#        step.sh RECORD end
set -euo pipefail
record=$1 what=$2
shift 2

told() { printf '%d min %02d s' $(($1 / 60)) $(($1 % 60)); }

case $what in
begin)
    mkdir -p "$(dirname "$record")"
    : > "$record"
    printf '%s\n' "$@"
    ;;
end)
    all=0
    while IFS=$'\t' read -r seconds step; do
        printf '  %12s  %s\n' "$(told "$seconds")" "$step"
        all=$((all + seconds))
    done < "$record"
    printf '  %12s  %s\n' "$(told $all)" "in all"
    ;;
*)
    echo "==> $what"
    begun=$SECONDS came=0
    "$@" || came=$?
    printf '%d\t%s\n' $((SECONDS - begun)) "$what" >> "$record"
    [ $came -eq 0 ] || echo "==> $what: failed after $(told $((SECONDS - begun)))" >&2
    exit $came
    ;;
esac
