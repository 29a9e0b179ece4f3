#!/usr/bin/env bash
# All the tests. Arguments go to pytest: ./test.sh tests/core -k cascade -n0
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source=scripts/environment.sh
. "$root/scripts/environment.sh"
ready_environment "$root"
cd -- "$root"
# One worker a core; `-n0` after it (as in the example above) runs them in this process.
exec "$root/.venv/bin/python" -m pytest -n auto --dist worksteal "$@"
