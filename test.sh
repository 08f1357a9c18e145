#!/usr/bin/env bash
# Everything that must hold before a change goes in: format, lints, tests, documentation.
set -euo pipefail
cd "$(dirname "$0")"

if ! command -v cargo >/dev/null; then
    echo "error: cargo is not installed" >&2
    echo "hint: install Rust from https://rustup.rs, then run $0 again" >&2
    exit 1
fi

# The tests let programs in C++ and Python play, in boxes with the system's own. On Debian, and as root, they are installed
# if need be.
if [ ! -x /usr/bin/g++ ] || [ ! -x /usr/bin/python3 ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y g++ python3
    else
        echo "error: g++ or python3 is not installed" >&2
        echo "hint: install both (on Debian: sudo apt install g++ python3), then run $0 again" >&2
        exit 1
    fi
fi

# The pages are tried in a real browser.
if ! command -v chromium >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y chromium
    else
        echo "error: chromium is not installed" >&2
        echo "hint: install it (on Debian: sudo apt install chromium), then run $0 again" >&2
        exit 1
    fi
fi

step() {
    printf '\n== %s\n' "$*"
    "$@"
}

# Root makes boxes in another way than others do, so root runs these tests once more as an ordinary user: a copy of them,
# because others need not be able to enter root's folders.
sandbox_as_an_ordinary_user() {
    local built user=12345
    built=$(cargo test --release --package palestra-arena --test sandbox --no-run --message-format=json)
    built=$(grep -o '"executable":"[^"]*"' <<<"$built" | cut -d '"' -f 4)
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cp "$(grep '/deps/sandbox-' <<<"$built")" "$folder/sandbox"
    cp "$(grep '/palestra-box$' <<<"$built")" "$folder"
    mkdir "$folder/tmp"
    chown "$user:$user" "$folder/tmp"
    chmod 755 "$folder" "$folder"/*
    (cd "$folder" && setpriv --reuid="$user" --regid="$user" --clear-groups \
        env -i PATH="$PATH" HOME="$folder/tmp" TMPDIR="$folder/tmp" PALESTRA_BOX="$folder/palestra-box" ./sandbox)
}

# All steps build with the release profile, so that they share what they build.
step cargo fmt --all --check
step cargo clippy --release --workspace --all-targets -- -D warnings
step cargo test --release --workspace
if [ "$(id -u)" = 0 ]; then
    step sandbox_as_an_ordinary_user
fi
step cargo test --profile checked --package palestra-games --package palestra-search
RUSTDOCFLAGS="-D warnings" step cargo doc --release --workspace --no-deps

printf '\nAll passed in %d min %02d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
