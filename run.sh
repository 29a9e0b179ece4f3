#!/usr/bin/env bash
# sapper from a clone: makes its environment when it has to, with what the program runs and no more, then is `sapper` with these arguments.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source=scripts/environment.sh
. "$root/scripts/environment.sh"
ready_environment "$root" run
exec "$root/.venv/bin/sapper" "$@"
