# A power cut during a shoot, and the restart, in two boots of one board. The camera has its own battery, so it is not in
# the guest: it continues, and keeps its card, at the host's address.
# shellcheck shell=bash
camera_ip=10.0.2.2
life=/var/lib/rig-life
planned='2" 4" 8"'

host_reached() {
  ip link set eth0 up
  ip address add 10.0.2.15/24 dev eth0
}

# The card is on the host. Both boots use the same card.
fired() { jq -r .speed /results/card.json | paste -sd ' '; }
fired_all() {
  local found
  found=$(fired | tee /dev/stderr)
  [ "$found" = "$planned" ] || [ "$found" = '2" 4" 4" 8"' ]
}
second_frame() { [ "$(since | grep -Ec "^[0-9]+\|shooting\|([^|]* )?capturing[ |]")" -ge 2 ]; }

# Ends the first life. The host ends the emulator when it finds the file `cut`.
power_is_cut() {
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
}

no_recording_is_empty() {
  local found
  found=$(find /var/lib/bracketd/flight -name 'flight-*.rec' -printf '%s %f\n' | tee /dev/stderr)
  [ -n "$found" ] && ! grep -q '^0 ' <<<"$found"
}

# second_life WHAT COMMAND...: the checks of the second boot, in which the command resumes the shoot.
second_life() {
  local what=$1 ready began
  shift
  note "the second life"
  check "the daemon starts at boot" test "$(unit ActiveState)" = active
  ready=$(unit ActiveEnterTimestampMonotonic) began=$(unit ExecMainStartTimestampMonotonic)
  echo "ready $((ready / 1000)) ms after the kernel began, $(((ready - began) / 1000)) ms after the daemon was started; $(head -n 1 /results/boot-time.txt)" >>/results/figures
  note "$(tail -n 1 /results/figures)"
  from_now_on
  check "the daemon connects to the camera" wait_for 120 connected
  check "the status has the interrupted shoot" wait_for 30 status_says "^Interrupted"
  note "$(sentence)"
  check "no flight recording is empty" no_recording_is_empty
  check "the configuration is kept" grep -q "$camera_ip" /etc/bracketd/bracketd.toml
  "$@"
  check "$what resumes the shoot, and it is completed" wait_for 180 entered shooting completed
  check "every frame is on the card, at most the one in doubt twice" fired_all
  note "on the card: $(fired)"
  check "the history has the completed shoot" \
    sh -c "bracketctl history --limit 1 --json | tee /dev/stderr | jq -e '.outcome == \"completed\"'"
}
