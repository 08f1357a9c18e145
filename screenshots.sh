#!/usr/bin/env bash
# Takes pictures of all pages in a real browser, for a person to look at: three widths, both languages, light and dark.
set -euo pipefail
cd "$(dirname "$0")"

case ${1-} in
-h | --help)
    cat <<'USAGE'
usage: ./screenshots.sh [FOLDER]

Saves a picture of every page as FOLDER/PAGE-LANGUAGE-THEME-WIDTH.png (default: target/screenshots). Needs Chromium.
Set PALESTRA_TEST_ALL=1 for every combination of width, language and theme.
USAGE
    exit
    ;;
esac

folder=${1-target/screenshots}
mkdir -p "$folder"
PALESTRA_SCREENSHOTS=$(cd "$folder" && pwd)
export PALESTRA_SCREENSHOTS
# The pictures are made by the test that walks through all pages, also if it finds faults on them.
cargo test --release --workspace --test server -- walk:: teaching:: || echo "hint: the walk has found faults, see above" >&2
echo "$(find "$PALESTRA_SCREENSHOTS" -name '*.png' | wc -l) pictures in $PALESTRA_SCREENSHOTS"
