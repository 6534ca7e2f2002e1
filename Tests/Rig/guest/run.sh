#!/usr/bin/env bash
# What the guest is given to run: the script that the file `script` names, with its arguments; then one line of counts.
set -uo pipefail
cd "$(dirname "$0")" || exit
. ./lib.sh
read -r script arguments <script
# shellcheck disable=SC2086
bash "./$script.sh" $arguments </dev/null || check "$script.sh came to its end" false
summary
