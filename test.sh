#!/usr/bin/env bash
# Everything that must hold before a change goes in: format, lints, tests, documentation.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v cargo >/dev/null; then
    echo "error: cargo is not installed" >&2
    echo "hint: install Rust from https://rustup.rs, then run $0 again" >&2
    exit 1
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
