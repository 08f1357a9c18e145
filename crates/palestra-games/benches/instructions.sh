#!/usr/bin/env bash
# Instructions a leaf of perft, counted by callgrind: the same on every run, whatever else the machine does.
# Usage: cargo build --release && crates/palestra-games/benches/instructions.sh
set -euo pipefail
cd "$(dirname "$0")/../../.."
palestra=target/release/palestra
command -v valgrind >/dev/null || { echo "error: valgrind is not installed" >&2; exit 1; }
[ -x "$palestra" ] || { echo "error: $palestra is not built; run cargo build --release" >&2; exit 1; }

# The instructions that a command takes.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*refs: *//p' | tr -d ,
}

perft() {
    local game=$1 depth=$2 && shift 2
    local leaves all start
    leaves=$("$palestra" perft "$game" "$depth" --bulk "$@" | awk '/^leaves / { print $2 }')
    all=$(count "$palestra" perft "$game" "$depth" "$@")
    start=$(count "$palestra" perft "$game" 1 "$@")
    printf '%-16s depth %-2d %9d leaves  %6.1f instructions a leaf\n' \
        "$game" "$depth" "$leaves" "$(awk "BEGIN { print ($all - $start) / $leaves }")"
}

perft mancala 8
perft conecta4boom 8
perft desconecta4boom 8
perft parchis 5
perft bandera 5 --options citadel
