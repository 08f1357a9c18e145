#!/usr/bin/env bash
# Random games of Mancala a second: OpenSpiel's C++ core, asked through its Python package, and ours, in turn.
# Usage: crates/palestra-search/benches/openspiel.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/../../.."
command -v python3 >/dev/null || { echo "error: python3 is not installed" >&2; exit 1; }

bench=$(cargo bench -p palestra-search --bench search --no-run 2>&1 | sed -n 's/.*Executable .*(\(.*\))$/\1/p')
[ -x "$bench" ] || { echo "error: the benchmark does not build; run cargo bench -p palestra-search --no-run" >&2; exit 1; }

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv" || { echo "error: python3 has no venv module; install python3-venv" >&2; exit 1; }
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check --only-binary :all: open_spiel \
    || { echo "error: open_spiel cannot be fetched from PyPI: no network, or no package for this Python" >&2; exit 1; }
"$folder/venv/bin/python" crates/palestra-search/benches/openspiel.py "$bench" "${1:-5}"
