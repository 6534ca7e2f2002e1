#!/usr/bin/env bash
# A power cut during a shoot, and the restart. This script runs in both boots of the board, from one disk. The camera
# has its own battery, so it is not in the guest: it continues, and keeps its card, at the host's address.
#   power-cut.sh PORT
set -euo pipefail
. ./lib.sh
. ./journal.sh
. ./board.sh
camera_ip=10.0.2.2
life=/var/lib/rig-life
planned='2" 4" 8"'
at_end() {
  cp $log /results/ || true
  ctl history show 1 >/results/history 2>&1 || true
}
trap at_end EXIT

# The card is on the host. Both boots use the same card.
fired() { jq -r .speed /results/card.json | paste -sd ' '; }
fired_all() {
  local found
  found=$(fired | tee /dev/stderr)
  [ "$found" = "$planned" ] || [ "$found" = '2" 4" 4" 8"' ]
}

chip_up
ip link set eth0 up
ip address add 10.0.2.15/24 dev eth0
follow_journal

if [ ! -e $life ]; then
  check "the package is installed" package_installed
  configured "$camera_ip:$1"
  from_now_on
  systemctl restart bracketd
  check "the daemon connects to the camera" wait_for 60 connected
  press
  second_frame() { [ "$(since | grep -Ec "^[0-9]+\|shooting\|([^|]* )?capturing[ |]")" -ge 2 ]; }
  check "a press fires, and the second frame begins" wait_for 60 second_frame
  # This syncs only a file of the test. The files of the daemon are only synced by the daemon itself.
  touch $life
  sync $life /var/lib
  [ ! -s $rig/failed ] || exit 1
  note "$(ctl status | head -n 1)"
  note "the power is cut"
  touch /results/cut
  sleep 60
  check "the power was cut" false
  exit 1
fi

note "the second life"
check "the daemon starts at boot" test "$(unit ActiveState)" = active
ready=$(unit ActiveEnterTimestampMonotonic) began=$(unit ExecMainStartTimestampMonotonic)
echo "ready $((ready / 1000)) ms after the kernel began, $(((ready - began) / 1000)) ms after the daemon was started; $(head -n 1 /results/boot-time.txt)" >>/results/figures
note "$(tail -n 1 /results/figures)"
from_now_on
check "the daemon connects to the camera" wait_for 120 connected
check "the status has the interrupted shoot" wait_for 30 status_says "^Interrupted"
note "$(sentence)"
no_recording_is_empty() {
  local found
  found=$(find /var/lib/bracketd/flight -name 'flight-*.rec' -printf '%s %f\n' | tee /dev/stderr)
  [ -n "$found" ] && ! grep -q '^0 ' <<<"$found"
}
check "no flight recording is empty" no_recording_is_empty
check "the configuration is kept" grep -q "$camera_ip" /etc/bracketd/bracketd.toml
press
check "a press resumes the shoot, and it is completed" wait_for 180 entered shooting completed
check "every frame is on the card, at most the one in doubt twice" fired_all
note "on the card: $(fired)"
check "the history has the completed shoot" sh -c "bracketctl history --limit 1 --json | tee /dev/stderr | jq -e '.outcome == \"completed\"'"
