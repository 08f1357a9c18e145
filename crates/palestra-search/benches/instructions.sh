#!/usr/bin/env bash
# Instructions a node of the engine, counted by callgrind: the same on every run, whatever else the machine does.
# Mancala from the start by the stores, one thread; once as built by default and once for x86-64-v3.
# Usage: crates/palestra-search/benches/instructions.sh [DEPTH]
set -euo pipefail
cd "$(dirname "$0")/../../.."
depth=${1:-18}
goal=300
command -v valgrind >/dev/null || { echo "error: valgrind is not installed" >&2; exit 1; }

# The benchmark's executable, built with these flags in a folder of its own.
build() {
    RUSTFLAGS=$2 cargo bench -p palestra-search --bench search --no-run --target-dir "$1" 2>&1 \
        | sed -n 's/.*Executable .*(\(.*\))$/\1/p'
}

# The instructions of a search to this depth.
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$1" --nodes "$2" 2>&1 >/dev/null \
        | sed -n 's/.*refs: *//p' | tr -d ,
}

row() {
    local name=$1 bench=$2
    [ -x "$bench" ] || { echo "error: the benchmark does not build; run cargo bench -p palestra-search --no-run" >&2; exit 1; }
    local nodes all start
    nodes=$("$bench" --nodes "$depth")
    all=$(count "$bench" "$depth")
    start=$(count "$bench" 1)
    awk -v name="$name" -v depth="$depth" -v nodes="$nodes" -v used=$((all - start)) -v goal=$goal 'BEGIN {
        each = used / nodes
        printf "%-10s depth %d %9d nodes %6.1f instructions a node (goal <= %d: %s)\n",
            name, depth, nodes, each, goal, each <= goal ? "met" : "MISSED"
    }'
}

row default "$(build target "")"
row x86-64-v3 "$(build target/x86-64-v3 "-C target-cpu=x86-64-v3")"
