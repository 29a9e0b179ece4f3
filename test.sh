#!/usr/bin/env bash
# All the tests, or those named. Arguments go to pytest: ./test.sh tests/core -k cascade
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source=scripts/environment.sh
. "$root/scripts/environment.sh"
ready_environment "$root"
cd -- "$root"
# What pytest makes of a test's assertions is kept as bytecode; where a container forbids that, each worker would make it anew.
unset PYTHONDONTWRITEBYTECODE
case ${1-} in
"" | -*) # everything: two workers a core, since many tests wait (tests/conftest.py)
    exec "$root/.venv/bin/python" -m pytest -n auto --dist worksteal "$@"
    ;;
*) # some of it: workers take longer to start than they save, and hide a mistyped path
    exec "$root/.venv/bin/python" -m pytest "$@"
    ;;
esac
