#!/usr/bin/env bash
# Writes the locks anew from pyproject.toml, for every platform and every Python that the project supports, with hashes:
# requirements.lock has every extra, every dependency group and the build backend (test.sh and the checks), requirements-run.lock
# the extras and the build backend (run.sh), deploy/requirements.lock what the container needs, all in the same versions.
#
#   scripts/lock.sh                  keep the versions already locked where they still fit
#   scripts/lock.sh --upgrade        take the newest of everything
#   scripts/lock.sh --upgrade-package numpy
#
# It needs uv (any recent one). Both pip and uv install the result: run.sh and test.sh do.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd -P)
cd -- "$root"

if ! command -v uv >/dev/null 2>&1; then
    printf 'scripts/lock.sh: uv is not on PATH; install it first, for example: pip install uv\n' >&2
    exit 2
fi

# --no-emit-*: nobody's package index belongs in the repository; whoever installs has their own.
uv pip compile pyproject.toml \
    --quiet --universal --generate-hashes --python-version 3.11 \
    --all-extras --group dev --group docs --group build \
    --no-emit-index-url --no-emit-find-links \
    --custom-compile-command scripts/lock.sh \
    --output-file requirements.lock "$@"

uv pip compile pyproject.toml \
    --quiet --universal --generate-hashes --python-version 3.11 \
    --all-extras --group build --constraint requirements.lock \
    --no-emit-index-url --no-emit-find-links --no-annotate \
    --custom-compile-command scripts/lock.sh \
    --output-file requirements-run.lock

uv pip compile pyproject.toml \
    --quiet --universal --generate-hashes --python-version 3.11 \
    --extra web --extra store --constraint requirements.lock \
    --no-emit-index-url --no-emit-find-links --no-annotate \
    --custom-compile-command scripts/lock.sh \
    --output-file deploy/requirements.lock

if grep -n -e '://' -e '^-' requirements.lock requirements-run.lock deploy/requirements.lock >&2; then
    printf 'scripts/lock.sh: the lines above tie a lock to one machine or index\n' >&2
    exit 1
fi
