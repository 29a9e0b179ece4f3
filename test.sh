#!/usr/bin/env bash
# All the tests, or those named. Arguments go to pytest: ./test.sh tests/core -k chord
set -euo pipefail

case ${1-} in
-h | --help) # before anything is downloaded
    cat <<'HELP'
Usage: ./test.sh [PATH...] [OPTIONS OF PYTEST]

Run all the tests, or those named: ./test.sh tests/core -k chord

  --full      the largest tests in full; takes much longer
  -h, --help  show this help (that of pytest: .venv/bin/python -m pytest --help)

The first run downloads some 320 MB into .venv, which is 1.2 GB then: the tests and their tools.
HELP
    exit
    ;;
esac

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
