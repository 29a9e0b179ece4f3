#!/usr/bin/env bash
# Builds the documentation site, offline: scripts/docs.sh [FOLDER]   (build/docs/html unless given)
# A warning is an error: a link that leads nowhere, a name that the reference does not find.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd -P)
target=${1:-$root/build/docs/html}

# shellcheck source=scripts/environment.sh
. "$root/scripts/environment.sh"
ready_environment "$root"

"$root/.venv/bin/sphinx-build" -q -W --keep-going -b html -d "$target/../doctrees" "$root/docs" "$target"
printf 'the site is in %s\n' "$target/index.html"
