#!/usr/bin/env bash
# The game server: run_server.sh [OPTIONS of `sapper serve`]
set -euo pipefail

exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/run.sh" serve "$@"
