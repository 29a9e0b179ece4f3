#!/usr/bin/env bash
# Checks the JavaScript of the web game's page: scripts/javascript.sh [types|lint|tests]
# Without an argument all three. Node comes with .venv; the tools are those of package-lock.json, installed here once.
# None of their install scripts is run, and the page itself needs none of them.
set -uo pipefail

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
cd -- "$root" || exit 2

# shellcheck source=scripts/environment.sh
. scripts/environment.sh
ready_environment "$root"
export PATH=$root/.venv/bin:$PATH

# npm writes this copy of the lock last: as long as it is older than the lock, what is there is of another.
[ node_modules/.package-lock.json -nt package-lock.json ] ||
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2 || die "could not install package-lock.json"

# The declarations of the server's messages are made from its own types, here and nowhere else.
types() { .venv/bin/python scripts/web_messages.py --declarations && node node_modules/typescript/bin/tsc; }
lint() { node node_modules/eslint/bin/eslint.js --max-warnings 0 .; }
tests() { node --import ./tests/web/static/english.js --test 'tests/web/static/*.test.js'; }

case ${1:-all} in
types | lint | tests) "$1" ;;
all) types && lint && tests ;;
*) die "there is no check '$1': types, lint, tests, or none for all of them" ;;
esac
