#!/usr/bin/env bash
# The terminal client: run_client.sh [HOST] [OPTIONS of `sapper connect`]
# Without any: 20 columns, 10 rows, level 1, on 127.0.0.1.
set -euo pipefail

if [ $# -eq 0 ]; then
    set -- 127.0.0.1 --columns 20 --rows 10 --level 1
fi
exec "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/run.sh" connect "$@"
