#!/usr/bin/env bash
# A board with an arm64 processor and without button and lamp. It installs the package, and shoots with a camera on the
# board itself. Its daemon is killed, and then its power is cut. This script runs in both boots. See power.sh.
#   arm64.sh PORT
set -euo pipefail
. ./lib.sh
. ./journal.sh
. ./board.sh
. ./power.sh
at_end() {
  cp $log $rig/*.log $rig/*.out /results/ 2>/dev/null || true
  ctl history >/results/history 2>&1 || true
}
trap at_end EXIT

# installed: by apt, which also checks the dependencies.
installed() {
  mkdir -p /var/cache/apt/archives/partial /var/lib/apt/lists/partial
  DEBIAN_FRONTEND=noninteractive apt-get install -y ./package/*.deb >$rig/dpkg.log 2>&1 || {
    cat $rig/dpkg.log
    return 1
  }
}
shoot() { ctl shoot --yes --shadow 8s --highlight 2s --frames 3 >>$rig/shoot.out 2>&1 & }
resume() { timeout 240 bracketctl resume >>$rig/resume.out 2>&1 || true; }
restarted_once() { [ "$(unit NRestarts)" = 1 ]; }
# The program that reads pictures permits itself only some system calls, which each processor numbers in its own way.
a_picture_is_read() {
  local picture
  picture=$(find /var/lib/bracketd/pictures -name '*.JPG' -print -quit)
  [ -n "$picture" ] && /usr/libexec/bracketd/bracketd-exif <"$picture" | tee /dev/stderr | grep '^exposure-time '
}
card_has() { [ "$(jq -r .speed $rig/card.json | paste -sd ' ' | tee /dev/stderr)" = "$1" ]; }
no_check_fails() {
  { ctl doctor --json || true; } | tee /dev/stderr | jq -e '(.checks | length > 5) and all(.checks[]; .result != "fail")'
}

host_reached
follow_journal
if [ -e $life ]; then
  second_life "the client" resume
  exit
fi

check "the processor is arm64" test "$(uname -m)" = aarch64
check "apt installs the package with its dependencies" installed
check "the service is active and enabled" test "$(unit ActiveState) $(unit UnitFileState)" = "active enabled"
check "the daemon runs as the user bracketd" test "$(stat -c %U "/proc/$(unit MainPID)")" = bracketd
check "the daemon is in its sandbox" systemd-analyze security --no-pager --threshold=20 bracketd.service
note "resident: $(awk '/VmRSS/ { print $2, $3 }' "/proc/$(unit MainPID)/status")"

configured 127.0.0.1:15740
printf '[transfer]\npolicy = "jpeg"\n' >>/etc/bracketd/bracketd.toml
camerasim sony --picture-size small --save-time 4s --card $rig/card.json --log >>$rig/camera.log 2>&1 &
systemctl restart bracketd
check "the daemon connects to the camera on the board" wait_for 60 connected
check "doctor finds no failure" no_check_fails
ctl doctor >$rig/doctor.out 2>&1 || true
sed 's/^/                  | /' $rig/doctor.out
from_now_on
shoot
check "a shoot is completed" wait_for 120 entered shooting completed
check "every frame is on the card, once" card_has "$planned"
check "a picture is on the board, and its speed is read" wait_for 60 a_picture_is_read

from_now_on
shoot
check "the second frame of another shoot begins" wait_for 120 second_frame
kill -9 "$(unit MainPID)"
check "systemd restarts the killed daemon" wait_for 60 restarted_once
check "the daemon connects to the camera again" wait_for 120 connected
check "the status has the interrupted shoot" wait_for 30 status_says "^Interrupted"
note "$(sentence)"
from_now_on
resume
check "the client resumes the shoot, and it is completed" wait_for 180 entered shooting completed
resumed="$planned "'2" 4" 4" 8"'
check "every frame is on the card, at most the one in doubt twice" \
  sh -c "jq -r .speed $rig/card.json | paste -sd ' ' | tee /dev/stderr | grep -Fx -e '$planned $planned' -e '$resumed'"
note "on the card: $(jq -r .speed $rig/card.json | paste -sd ' ')"

configured "$camera_ip:$1"
systemctl restart bracketd
check "the daemon connects to the camera beside the board" wait_for 60 connected
from_now_on
shoot
check "the second frame of a third shoot begins" wait_for 120 second_frame
power_is_cut
