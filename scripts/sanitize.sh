#!/usr/bin/env bash
# The tests of the native library under AddressSanitizer and UndefinedBehaviorSanitizer, in a copy of the sources, with every
# warning of the compiler taken as an error: scripts/sanitize.sh [TESTS…]
# Needs gcc with its sanitizers, and .venv.
set -euo pipefail

root=$(cd -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/.." && pwd -P)
copy=$(mktemp -d)
trap 'rm -rf -- "$copy"' EXIT
mkdir "$copy/src"
cp -r "$root/src/sapper" "$copy/src/"
cp -r "$root/scripts" "$root/tests" "$root/pyproject.toml" "$copy/"
cd -- "$copy"
# Undefined behaviour ends the process, as a wrong access does.
CC="${CC:-gcc} -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all" \
    "$root/.venv/bin/python" scripts/native.py --strict
[ $# -gt 0 ] || set -- tests/_kernels/native tests/_kernels/test_batch_measuring.py tests/_kernels/test_batch_stepping.py tests/generator/no_guess/test_prove.py
# Python itself frees little of what it has at its end: leaks are not looked for. The library's own memory is freed in each call.
LD_PRELOAD="$("${CC:-gcc}" -print-file-name=libasan.so) $("${CC:-gcc}" -print-file-name=libstdc++.so)" ASAN_OPTIONS=detect_leaks=0 \
    PYTHONPATH="$copy/src" PYTHONMALLOC=malloc "$root/.venv/bin/python" -m pytest -q -p no:cacheprovider "$@"
