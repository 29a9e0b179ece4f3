# shellcheck shell=bash
# Sourced by run.sh, test.sh and .ci/run: makes the one environment, .venv, that they share.
#
# `ready_environment ROOT` returns at once when ROOT/.venv is stamped with the hashes of what it
# was made from. Else it makes it: every package of requirements.lock (hashes checked), then the
# project itself, editable. uv does it where it is on PATH, Python's venv and pip elsewhere.
# `ready_environment ROOT run` has only what the program runs (requirements-run.lock); the rest is added later, when it is asked for.
#
#   SAPPER_PYTHON=python3.13   the Python to make it with (else the first suitable one on PATH)
#
# It writes to stderr only: the stdout of `run.sh analyse --json` belongs to sapper. One line for each thing that takes long, before it.

say() {
    printf 'sapper: %s\n' "$*" >&2
}

die() {
    say "$*"
    exit 2
}

# sha256 of the files given, whatever this system calls the tool.
_hash() {
    if command -v sha256sum >/dev/null 2>&1; then
        cat -- "$@" | sha256sum | cut -d ' ' -f 1
    else
        cat -- "$@" | shasum -a 256 | cut -d ' ' -f 1
    fi
}

# What .venv has to be made from: a folder that was moved has scripts that point to nowhere, and a
# system whose python3 became another version has packages that the new one does not see.
_base_stamp() {
    printf 'lock %s\n' "$(_hash "$1/requirements-run.lock")"
    printf 'root %s\n' "$1"
    printf 'asked %s\n' "${SAPPER_PYTHON:-any}"
    printf 'python %s\n' "$(readlink -f -- "$1/.venv/bin/python" || true)"
}

# The tools of tests, checks and documentation are in the same .venv, once they were needed.
_tools_stamp() {
    printf 'lock %s\n' "$(_hash "$1/requirements.lock")"
}

# The project's own metadata (its scripts, its version) is installed from this file.
_project_stamp() {
    printf 'project %s\n' "$(_hash "$1/pyproject.toml")"
}

# The native library is made from these sources, by the C compiler that is found.
_native_stamp() {
    printf 'sources %s\n' "$(_hash "$1"/scripts/native.py "$1"/src/sapper/_kernels/library_file.py "$1"/src/sapper/_kernels/native/*.[ch])"
    printf 'compiler %s\n' "${CC:-$(command -v cc || command -v gcc || command -v clang || true)}"
}

_is_current() { # STAMP-FILE TEXT
    [ -x "$venv/bin/python" ] && [ -f "$1" ] && [ "$(cat -- "$1")" = "$2" ]
}

_has_tools() { # or they are not asked for
    [ "$lock" = requirements-run.lock ] || _is_current "$tools" "$(_tools_stamp "$root")"
}

_suits() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

_find_python() {
    local name found=""
    if [ -n "${SAPPER_PYTHON:-}" ]; then
        command -v "$SAPPER_PYTHON" >/dev/null 2>&1 || die "SAPPER_PYTHON: there is no $SAPPER_PYTHON"
        _suits "$SAPPER_PYTHON" || die "SAPPER_PYTHON: $SAPPER_PYTHON does not run as Python 3.11 or newer"
        python=$SAPPER_PYTHON
        return
    fi
    for name in python3 python python3.14 python3.13 python3.12 python3.11; do
        command -v "$name" >/dev/null 2>&1 || continue
        if _suits "$name"; then
            python=$name
            return
        fi
        found="$found, $name is $("$name" --version 2>&1 | head -n 1)"
    done
    if command -v uv >/dev/null 2>&1; then
        # uv brings a Python of its own where the system has none that suits.
        python=$(uv python find '>=3.11' 2>/dev/null) && return
        say "no Python 3.11 or newer on PATH: uv brings one"
        uv python install 3.13 >&2 && python=$(uv python find '>=3.11') && return
    fi
    die "needs Python 3.11 or newer${found:-, and there is no python3 on PATH}" \
        "(install one, or name it: SAPPER_PYTHON=/path/to/python3)"
}

_make_venv() {
    _say_packages
    # Without a stamp an interrupted set-up is known for what it is, and made anew.
    rm -rf -- "$venv"
    if command -v uv >/dev/null 2>&1; then
        uv venv --quiet --python "$python" "$venv" >&2 || die "uv could not make $venv"
    else
        "$python" -m venv "$venv" >&2 || {
            rm -rf -- "$venv"
            die "$python could not make a virtual environment (on Debian: apt-get install python3-venv)"
        }
    fi
    _install_lock
}

# The sizes are those of the wheels for Linux (pip download --no-deps --only-binary=:all: -r LOCK) and of .venv afterwards (du -sm).
_say_packages() {
    local size="about 120 MB to download, 410 MB in .venv" for=""
    if [ "$lock" != requirements-run.lock ]; then
        size="about 320 MB to download, 1.2 GB in .venv" for=", those of tests and checks too"
    fi
    say "installing $(grep -c '^[a-z].*==' -- "$root/$lock") Python packages$for ($size) ..."
}

_install_lock() {
    # The lock is complete, so nothing is left to resolve: --no-deps.
    _install --require-hashes -r "$root/$lock" || die "could not install $lock; what went wrong is said above"
}

_install() {
    if command -v uv >/dev/null 2>&1; then
        uv pip install --quiet --python "$venv/bin/python" --no-deps "$@" >&2
    else
        # A .venv that uv made has no pip, and uv may be gone by now.
        "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip >&2 || return
        "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-compile --no-deps "$@" >&2
    fi
}

_install_project() {
    _install --no-build-isolation --editable "$root" ||
        die "could not install the project itself; what went wrong is said above"
}

# What commands import is compiled to bytecode now (some seconds): where Python may not write bytecode, or not
# there, each start would compile it anew. It is only speed: a failure is none.
_compile_bytecode() {
    say "compiling the packages' Python files ..."
    local folder name
    local -a there
    for folder in "$venv"/lib/python3*/site-packages; do
        there=("$root/src")
        for name in click rich numpy typing_extensions.py tomlkit platformdirs \
            sqlalchemy greenlet alembic mako markupsafe psycopg \
            starlette uvicorn websockets itsdangerous anyio h11; do
            [ ! -e "$folder/$name" ] || there+=("$folder/$name")
        done
        # Of databases that are none of ours nothing is imported. (The whole path is looked at: the clone may lie in a folder `tests`.)
        "$venv/bin/python" -m compileall -q -j 0 -x 'site-packages/.*(/tests?|(sqlalchemy|alembic)/testing|dialects/(mssql|mysql|oracle))/' "${there[@]}" \
            >/dev/null 2>&1 || true
    done
}

# Waits for others who are making it. The lock goes when its holder does, even when that is killed;
# Python takes it because flock(1) is not everywhere, and a folder as a lock outlives a kill.
_lock() {
    exec 9>"$root/.venv.lock" || die "cannot write to $root"
    local program='
import fcntl, sys
try:
    fcntl.flock(9, fcntl.LOCK_EX | fcntl.LOCK_NB)
except BlockingIOError:
    print("sapper: waiting for another process that sets up .venv ...", file=sys.stderr, flush=True)
    fcntl.flock(9, fcntl.LOCK_EX)
'
    "$python" -c "$program" || die "could not lock $root/.venv.lock"
}

ready_environment() { # ROOT [run]
    local root=$1 venv=$1/.venv python="" lock=requirements.lock
    local base="$venv/.base-stamp" tools="$venv/.tools-stamp" project="$venv/.project-stamp" native="$venv/.native-stamp"
    [ "${2-}" != run ] || lock=requirements-run.lock
    if _is_current "$base" "$(_base_stamp "$root")" && _has_tools && _is_current "$project" "$(_project_stamp "$root")" &&
        _is_current "$native" "$(_native_stamp "$root")"; then
        return
    fi
    _find_python
    _lock
    if ! _is_current "$base" "$(_base_stamp "$root")" || { [ -f "$tools" ] && ! _has_tools; }; then
        _make_venv
        _base_stamp "$root" >"$base"
        [ "$lock" != requirements.lock ] || _tools_stamp "$root" >"$tools"
    elif ! _has_tools; then
        _say_packages
        _install_lock
        _tools_stamp "$root" >"$tools"
    fi
    if ! _is_current "$project" "$(_project_stamp "$root")"; then
        _install_project
        _compile_bytecode
        _project_stamp "$root" >"$project"
    fi
    if ! _is_current "$native" "$(_native_stamp "$root")"; then
        say "building the native library ..."
        # It is only speed: what fails is said in one line, and again when the sources or the compiler are others.
        "$venv/bin/python" "$root/scripts/native.py" >&2 || true
        _native_stamp "$root" >"$native"
    fi
    exec 9>&-
}
