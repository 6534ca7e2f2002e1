#!/usr/bin/env bash
# A shoot over a real WiFi stack with all faults of the board's link. The camera's access point fails, the board roams
# to another network, the camera itself fails. Each happens once while the body saves, which is harmless. Each also
# happens once while the shutter is open, when it is unknown whether the frame was captured.
#   wifi.sh [calm] [access-point] [roam] [camera]     without names: all of them
set -euo pipefail
. ./lib.sh
. ./air.sh
. ./station.sh
at_end() {
  keep_air_logs
  cp $log $rig/*.log $rig/card.json /results/ || true
  ctl history >/results/history 2>&1 || true
  systemctl stop bracketd || true
}
trap at_end EXIT

air_up
check "the camera's only interface is its radio" test "$(in_camera ip -br link | awk '$1 != "lo" { print $1 }')" = wlan1
station_up
check "the board joins the camera's network" wait_for 60 is_on $camera_ssid
check "packets reach the camera" wait_for 30 reaches_camera
camera_switched_on
check "the camera accepts connections" wait_for 30 camera_listens

daemon_up
check "the service manager reports the daemon as active" test "$(systemctl show -P ActiveState bracketd)" = active
check "the daemon connects to the camera" wait_for 60 connected
# The name of the network is in the daemon's journal, status or list of cameras. The daemon has found the name by
# itself.
name_is_known() {
  { journalctl -u bracketd -o json --no-pager; ctl status; ctl cameras || true; } 2>/dev/null | grep -F "$camera_ssid" | tail -n 1 | grep .
}
check "the daemon shows the network name from nl80211" wait_for 10 name_is_known
check "the network chart is in the state joined" sh -c "/payload/bin/bracketctl status | grep -E '^network +joined'"

# mid_shoot STATE: begins a shoot and returns when its second frame is in that state. Uses the journal, because a
# query would take longer.
second_frame_is() { [ "$(since | grep -Ec "^[0-9]+\|shooting\|([^|]* )?$1[ |]")" -ge 2 ]; }
mid_shoot() {
  shoot
  wait_for 120 second_frame_is "$1" || check "$scene: the second frame reaches the state $1" false
  from_now_on
}

# pauses STATE SENTENCE: the shoot enters that state, and its sentence matches the regular expression.
pauses() {
  check "$scene: the shoot pauses" wait_for 60 entered shooting "$1"
  note "noticed after $(milliseconds "$marked_at" "$(entered_at shooting "$1")"): $(sentence)"
  check "$scene: the status has the reason" wait_for 30 status_says "$2"
}

# is_over SINCE WHAT [REASON]: the link has been back since then; the only reason for a pause was this one.
is_over() {
  check "$scene: the shoot resumes by itself and is completed" shoot_ends_well
  check "$scene: the card has the planned frames, each once" fired_just "$planned"
  check "$scene: every pause has the right reason" gave_only "${3:-}"
  figures "$1" "$2"
}

joins_again() { check "$scene: the board joins the network again" wait_for 120 is_on $camera_ssid; }

on_no_network="This computer lost $camera_ssid\. Rejoin it to continue\."
on_home="This computer left $camera_ssid and is on $home_ssid\. Rejoin $camera_ssid to continue\."
count='2 of 3 exposures captured\.$'

calm() {
  scene="without a fault"
  shoot
  check "$scene: the shoot is completed" shoot_ends_well
  check "$scene: the card has the planned frames" fired_just "$planned"
  check "$scene: the shoot did not pause" gave_only ""
}

access-point() {
  scene="the access point dies while the body saves"
  # A board with a static address keeps the address and its route. Only the state of the WiFi changes.
  touch $rig/static-address
  mid_shoot waitingForIdle
  access_point_dies
  pauses wifiSwitched "^Paused (wifi-switched): $on_no_network $count"
  access_point_on
  joins_again
  is_over "$(joined_at)" "the association" wifi-switched
  rm $rig/static-address

  scene="the access point dies during an exposure"
  mid_shoot capturing
  access_point_dies
  pauses awaitingCamera "the shutter may have fired\. $on_no_network"
  access_point_on
  joins_again
  is_over "$(joined_at)" "the association" wifi-switched
}

roam() {
  scene="the board roams while the body saves"
  mid_shoot waitingForIdle
  roam_home
  check "$scene: the board is on the other network" wait_for 60 is_on $home_ssid
  pauses wifiSwitched "^Paused (wifi-switched): $on_home $count"
  rejoin_camera
  joins_again
  is_over "$(joined_at)" "the association" wifi-switched

  scene="the board roams during an exposure"
  mid_shoot capturing
  roam_home
  check "$scene: the board is on the other network" wait_for 60 is_on $home_ssid
  pauses awaitingCamera "the shutter may have fired\. $on_home"
  rejoin_camera
  joins_again
  is_over "$(joined_at)" "the association" wifi-switched
}

camera() {
  scene="the camera dies while it saves, its WiFi stays"
  mid_shoot waitingForIdle
  camera_breaks_down
  pauses linkLost "^Paused (link-lost): .* $count"
  check "$scene: the board is still on the camera's network" is_on $camera_ssid
  camera_switched_on
  wait_for 30 camera_listens
  is_over "$(now)" "the camera's return" link-lost
}

if [ $# = 0 ]; then set -- calm access-point roam camera; fi
for scenario; do "$scenario"; done

check "the daemon did not restart" test "$(systemctl show -P NRestarts -P ActiveState bracketd | paste -sd ' ')" = "0 active"
