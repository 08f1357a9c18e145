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

# The store is tested on PostgreSQL too. Debian's packages would make a database for the whole system, and must not.
postgres_bin() {
    # Debian keeps its programs off the path.
    { find /usr/lib/postgresql/*/bin -name initdb -printf '%h\n' 2>/dev/null || true; } | sort -V | tail -n 1
}
if [ -z "$(postgres_bin)" ]; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        mkdir -p /etc/postgresql-common
        [ -e /etc/postgresql-common/createcluster.conf ] ||
            echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends postgresql
    else
        echo "error: PostgreSQL is not installed" >&2
        echo "hint: install it (on Debian: sudo apt install postgresql), then run $0 again" >&2
        exit 1
    fi
fi

# Whatever is made here is gone in the end.
folder=$(mktemp -d)
chmod 755 "$folder"
clean_up() {
    if [ -e "$folder/postgres/data/postmaster.pid" ]; then
        postgres_user "$(postgres_bin)/pg_ctl" --pgdata="$folder/postgres/data" --mode=immediate --silent stop || true
    fi
    rm -rf "$folder"
}
trap clean_up EXIT

# PostgreSQL refuses to run as root.
postgres_user() {
    if [ "$(id -u)" = 0 ]; then
        (cd / && setpriv --reuid=postgres --regid=postgres --clear-groups -- "$@")
    else
        "$@"
    fi
}

# A PostgreSQL of our own: in a folder that is removed, on a socket in it and no port. What it writes need not last.
start_postgres() {
    local bin place=$folder/postgres
    bin=$(postgres_bin)
    mkdir "$place"
    [ "$(id -u)" != 0 ] || chown postgres:postgres "$place"
    postgres_user "$bin/initdb" --pgdata="$place/data" --username=palestra --auth=trust --encoding=UTF8 --locale=C \
        --no-sync >"$folder/initdb.log" || { cat "$folder/initdb.log" >&2; return 1; }
    postgres_user "$bin/pg_ctl" --pgdata="$place/data" --log="$place/log" --silent --wait \
        --options="-c listen_addresses='' -c unix_socket_directories='$place' -c fsync=off -c max_connections=200" start ||
        { cat "$place/log" >&2; return 1; }
    export PALESTRA_TEST_POSTGRES="postgres://palestra@localhost/postgres?host=$place"
}

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
    local place=$folder/ordinary
    mkdir -p "$place/tmp"
    cp "$(grep '/deps/sandbox-' <<<"$built")" "$place/sandbox"
    cp "$(grep '/palestra-box$' <<<"$built")" "$place"
    chown "$user:$user" "$place/tmp"
    chmod 755 "$place" "$place"/*
    (cd "$place" && setpriv --reuid="$user" --regid="$user" --clear-groups \
        env -i PATH="$PATH" HOME="$place/tmp" TMPDIR="$place/tmp" PALESTRA_BOX="$place/palestra-box" ./sandbox)
}

# All steps build with the release profile, so that they share what they build.
step cargo fmt --all --check
step cargo clippy --release --workspace --all-targets -- -D warnings
step start_postgres
step cargo test --release --workspace
if [ "$(id -u)" = 0 ]; then
    step sandbox_as_an_ordinary_user
fi
step cargo test --profile checked --package palestra-games --package palestra-search
RUSTDOCFLAGS="-D warnings" step cargo doc --release --workspace --no-deps

printf '\nAll passed in %d min %02d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
