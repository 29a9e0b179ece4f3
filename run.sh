#!/usr/bin/env bash
# sapper from a clone: makes its environment when it has to, then is `sapper` with these arguments.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")" && pwd -P)
# shellcheck source=scripts/environment.sh
. "$root/scripts/environment.sh"
ready_environment "$root"
exec "$root/.venv/bin/sapper" "$@"
