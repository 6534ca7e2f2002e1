#!/usr/bin/env bash
# Runs the script named in the file `script` with its arguments, and prints a line of counts.
set -uo pipefail
cd "$(dirname "$0")" || exit
. ./lib.sh
read -r script arguments <script
# shellcheck disable=SC2086
bash "./$script.sh" $arguments </dev/null || check "$script.sh runs to its end" false
summary
