#!/usr/bin/env bash
# Everything that must hold before a change goes in: format, lints, tests, documentation.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v cargo >/dev/null; then
    echo "error: cargo is not installed" >&2
    echo "hint: install Rust from https://rustup.rs, then run $0 again" >&2
    exit 1
fi

# The tests let programs in C++ and Python play. On Debian, and as root, they are installed if need be.
if ! command -v g++ >/dev/null || ! command -v python3 >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y g++ python3
    else
        echo "error: g++ or python3 is not installed" >&2
        echo "hint: install both (on Debian: sudo apt install g++ python3), then run $0 again" >&2
        exit 1
    fi
fi

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

# All steps build with the release profile, so that they share what they build.
step cargo fmt --all --check
step cargo clippy --release --workspace --all-targets -- -D warnings
step cargo test --release --workspace
step cargo test --profile checked --package palestra-games --package palestra-search
RUSTDOCFLAGS="-D warnings" step cargo doc --release --workspace --no-deps

printf '\nAll passed in %d min %02d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
