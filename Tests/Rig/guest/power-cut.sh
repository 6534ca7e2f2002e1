#!/usr/bin/env bash
# The board with button and lamp loses its power in a shoot. This script runs in both boots. See power.sh.
#   power-cut.sh PORT
set -euo pipefail
. ./lib.sh
. ./journal.sh
. ./board.sh
. ./power.sh
at_end() {
  cp $log /results/ || true
  ctl history show 1 >/results/history 2>&1 || true
}
trap at_end EXIT

chip_up
host_reached
follow_journal
if [ -e $life ]; then
  second_life "a press" press
else
  check "the package is installed" package_installed
  configured "$camera_ip:$1"
  from_now_on
  systemctl restart bracketd
  check "the daemon connects to the camera" wait_for 60 connected
  press
  check "a press fires, and the second frame begins" wait_for 60 second_frame
  power_is_cut
fi
