#!/usr/bin/env bash
# Everything that must hold before a change goes in: format, lints, tests, documentation.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
    cat <<'USAGE'
usage: ./test.sh [--all]

Checks the format, the lints, all tests and the documentation, and says how long each step took.

  --all   what is slow by nature is run as a whole and not in its short form: README's walkthrough with a real SPRT in
          every language, all attacks once more as an ordinary user, the search with the checks of a debug build, a league
          whose server is killed 100 times.
          Tests see it as PALESTRA_TEST_ALL=1.
  --help  this text
USAGE
}

unset PALESTRA_TEST_ALL
for word in "$@"; do
    case $word in
    --all) export PALESTRA_TEST_ALL=1 ;;
    --help | -h)
        usage
        exit
        ;;
    *)
        echo "error: '$word' is not known" >&2
        echo "hint: './test.sh --help' says what is" >&2
        exit 2
        ;;
    esac
done

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

# The pages are looked at by axe, and their scripts by TypeScript's compiler. Node is a tool of the tests alone; nothing of it is
# built into Palestra.
if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends nodejs npm
    else
        echo "error: node or npm is not installed" >&2
        echo "hint: install both (on Debian: sudo apt install nodejs npm), then run $0 again" >&2
        exit 1
    fi
fi

# The store is tested on PostgreSQL too. Debian's packages would make a database for the whole system, and must not.
postgres_bin() {
    find /usr/lib/postgresql /usr/pgsql-* -maxdepth 2 -type d -name bin 2>/dev/null | sort -V | tail -n 1 || true
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
    # Each step is a process group of its own.
    for step in $(jobs -p); do
        kill -- "-$step" 2>/dev/null || true
    done
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

# Each step runs in the background, as a process group of its own, so that one that fails or is interrupted ends with all that
# it has started.
set -m
declare -A began
declare -A job
summary=()

# Starts a step: its name, and a command. What it says is shown when it is over.
start() {
    local name=$1
    shift
    began[$name]=$SECONDS
    ("$@"; echo "$SECONDS" >"$folder/end.$name") </dev/null >"$folder/log.$name" 2>&1 &
    job[$name]=$!
}

# Waits for a step that was started.
finish() {
    local name=$1 failed=0
    wait "${job[$name]}" || failed=$?
    printf '\n== %s\n' "$name"
    cat "$folder/log.$name"
    if [ "$failed" != 0 ]; then
        printf '\nerror: the step "%s" has failed: what it says is above\n' "$name" >&2
        exit 1
    fi
    note "$name" $(($(<"$folder/end.$name") - began[$name]))
}

# A step that nothing else runs beside; it is seen while it runs.
step() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    "$@" </dev/null &
    if ! wait $!; then
        printf '\nerror: the step "%s" has failed\n' "$name" >&2
        exit 1
    fi
    note "$name" $((SECONDS - start))
}

note() {
    summary+=("$(printf '%3d min %02d s  %s' $(($2 / 60)) $(($2 % 60)) "$1")")
}

# The test binaries that wait most of the time: for servers, databases, browsers, clocks.
waiting=(sandbox server store)

build() {
    cargo test --release --workspace --no-run --message-format=json-render-diagnostics >"$folder/built"
}

# The path of an executable that `build` has made.
built() {
    grep -o '"executable":"[^"]*"' "$folder/built" | cut -d '"' -f 4 | grep -E "/$1\$" | tail -n 1
}

# Runs these binaries themselves, as cargo would: to name them to cargo would select other features, and build much again.
waiting_tests() {
    local name binary manifest failed=()
    for name in "${waiting[@]}"; do
        binary=$(built "deps/$name-[0-9a-f]*")
        manifest=$(grep -F "\"$binary\"" "$folder/built" | grep -o '"manifest_path":"[^"]*"' | cut -d '"' -f 4)
        printf '     Running %s\n' "$name"
        (cd "$(dirname "$manifest")" && CARGO_MANIFEST_DIR=$PWD "$binary") || failed+=("$name")
    done
    [ ${#failed[@]} = 0 ] || { echo "error: failed: ${failed[*]}"; return 1; }
}

# Everything else, with the tests in the documentation: cargo runs binaries by a script that passes over those above.
computing_tests() {
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    {
        echo '#!/bin/sh'
        echo 'case ${1##*/} in'
        printf '%s-*) echo "(runs beside the others)"; exit ;;\n' "${waiting[@]}"
        echo 'esac'
        echo 'exec "$@"'
    } >"$folder/runner"
    chmod 755 "$folder/runner"
    host=${host//[-.]/_}
    env "CARGO_TARGET_${host^^}_RUNNER=$folder/runner" cargo test --release --workspace --no-fail-fast
}

# Root makes boxes in another way than others do, so root runs these tests once more as an ordinary user: a copy of them,
# because others need not be able to enter root's folders. The short form leaves out what does not depend on the user: how
# sources are read and compiled, and that two hundred boxes leave nothing that one does not.
sandbox_as_an_ordinary_user() {
    local user=12345 place=$folder/ordinary suites=(isolation:: layers:: lifetime:: resources:: time::)
    [ -z "${PALESTRA_TEST_ALL-}" ] || suites=()
    mkdir -p "$place/tmp"
    cp "$(built 'deps/sandbox-[0-9a-f]*')" "$place/sandbox"
    cp "$(built palestra-box)" "$place"
    chown "$user:$user" "$place/tmp"
    chmod 755 "$place" "$place"/*
    cd "$place"
    setpriv --reuid="$user" --regid="$user" --clear-groups env -i PATH="$PATH" HOME="$place/tmp" TMPDIR="$place/tmp" \
        PALESTRA_BOX="$place/palestra-box" ./sandbox "${suites[@]}"
}

# The rules and the search once more, with the checks of a debug build. Only these two crates are built for it: everything
# that they use is there already.
checked_tests() {
    local crate options=() what=(--lib --test rules)
    [ -z "${PALESTRA_TEST_ALL-}" ] || what+=(--test search)
    for crate in palestra-games palestra-search; do
        options+=(--config "profile.release.package.$crate.debug-assertions=true")
        options+=(--config "profile.release.package.$crate.overflow-checks=true")
        options+=(--package "$crate")
    done
    cargo test --release "${options[@]}" "${what[@]}"
}

documentation() {
    RUSTDOCFLAGS="-D warnings" cargo doc --release --workspace --no-deps
}

# The packages of the lock file, which holds their hashes, in a folder that is kept: no script of theirs runs.
install_node_packages() {
    local place=target/node
    mkdir -p "$place"
    if ! cmp -s crates/palestra-web/tests/node/package-lock.json "$place/package-lock.json" ||
        [ ! -d "$place/node_modules" ]; then
        cp crates/palestra-web/tests/node/package.json crates/palestra-web/tests/node/package-lock.json "$place"
        (cd "$place" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    fi
}

start_postgres
step "packages of Node" install_node_packages
export PALESTRA_NODE_MODULES=$PWD/target/node/node_modules

# All steps build with the release profile and for the whole workspace, so that they share what they build; lints and
# documentation share what `cargo check` makes.
step "format" cargo fmt --all --check
step "types of the scripts" target/node/node_modules/.bin/tsc --project crates/palestra-web/tests/node/tsconfig.json
step "lints" cargo clippy --release --workspace --all-targets -- -D warnings
step "build" build

# Two cores: suites that wait run beside those that compute. When the first are over, what is left leaves a core idle now and
# then: the checked build takes it.
start "tests that wait" waiting_tests
start "tests that compute" computing_tests
finish "tests that wait"
start "rules with the checks of a debug build" checked_tests
if [ "$(id -u)" = 0 ]; then
    start "sandbox as an ordinary user" sandbox_as_an_ordinary_user
fi
finish "tests that compute"
step "documentation" documentation
finish "rules with the checks of a debug build"
if [ "$(id -u)" = 0 ]; then
    finish "sandbox as an ordinary user"
fi

printf '\n'
printf '%s\n' "${summary[@]}"
printf '\nAll passed in %d min %02d s.\n' $((SECONDS / 60)) $((SECONDS % 60))
