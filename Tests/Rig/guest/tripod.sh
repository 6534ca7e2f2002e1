#!/usr/bin/env bash
# The whole board: the package under systemd, a button and a lamp at a GPIO chip, the camera behind a radio. The
# button is pressed, and all faults occur except a power cut, which is in power-cut.sh.
#   tripod.sh [press] [pause] [knock] [unplug] [kill] [stop] [reload] [hang] [babble] [air]     default: all of them
set -euo pipefail
. ./lib.sh
. ./air.sh
. ./journal.sh
. ./camera.sh
. ./board.sh
at_end() {
  keep_air_logs
  cp $log $rig/*.log $rig/card.json $tracing/trace /results/ || true
  ctl history >/results/history 2>&1 || true
  cp -r /var/lib/bracketd/flight /results/ || true
}
trap at_end EXIT

planned='2" 4" 8"'
ends_well() { wait_for 180 entered shooting completed; }
frame_is() { [ "$(since | grep -Ec "^[0-9]+\|shooting\|([^|]* )?$2[ |]")" -ge "$1" ]; }
# press_until FRAME STATE: fires the bracket by the button, and returns when that frame is in that state.
press_until() {
  card_from_now_on
  from_now_on
  press
  wait_for 120 frame_is "$1" "$2" || check "$scene: frame $1 comes to $2" false
}
whole() { check "$scene: the card holds what was planned, each frame once" fired_just "$planned"; }

# After a crash during an exposure. The camera's count of shots shows whether that frame was fired; without a certain
# count it is fired again (docs/recovery.md). A core in the fault `babble` continues its shoot, and may have reached
# the third frame.
whole_after_crash() {
  check "$scene: the card holds what was planned, only the frame in doubt perhaps twice" \
    fired_one_of "$planned" '2" 4" 4" 8"' '2" 4" 8" 8"'
  note "on the card: $(fired)"
}

chip_up
trace_pins
air_up
station_up
check "the board joins the camera's network" wait_for 60 is_on $camera_ssid
check "packets cross the air" wait_for 30 reaches_camera
camera_switched_on
check "the camera listens" wait_for 30 camera_listens
check "the package is installed" package_installed
check "the daemon runs with the sample configuration" test "$(unit ActiveState)" = active
configured "$camera_ip:15740"
check "the configuration is right" bracketd --config /etc/bracketd/bracketd.toml --check
follow_journal
systemctl restart bracketd
check "it connects to the camera" wait_for 60 connected
check "doctor finds button and lamp" doctor_says pass


# --- normal use
# --------------------------------------------------------------------------------------------------------

# The transitions into a frame's exposure, filtered by our fields like a user does.
transition=a3c51a5d70db424c822d37f16938fc55
fired_by_journal() {
  entries MESSAGE_ID=$transition BRACKETD_CHART=shooting | jq -r 'select(.BRACKETD_TO == "capturing") |
    "\(.BRACKETD_SET).\(.BRACKETD_FRAME) \(.BRACKETD_SPEED) of \(.BRACKETD_SHOOT)"' | paste -sd ,
}
# When a frame's exposure began and when the camera reported its picture: seconds of the kernel's monotonic clock.
exposures() {
  entries BRACKETD_CHART=shooting | jq -r 'select(.BRACKETD_TO == "capturing" or .BRACKETD_FROM == "capturing") |
    (.__MONOTONIC_TIMESTAMP | tonumber / 1e6)' | paste - -
}
# How often the lamp went on while a shutter was open. The journal is written a little after the lamp was switched.
flashes_in_exposures() {
  awk 'NR == FNR { from[NR] = $1; to[NR] = $2; next }
    $2 == 1 { for (i in from) if ($1 > from[i] && $1 < to[i] - 0.5) count++ } END { print count + 0 }' <(exposures) <(lamp_levels)
}
# How often it went on between the exposures, and afterwards.
flashes_between() {
  awk 'NR == FNR { from[NR] = $1; to[NR] = $2; n = NR; next }
    $2 == 1 { for (i = 1; i < n; i++) if ($1 > to[i] && $1 < from[i + 1]) count++ } END { print count + 0 }' <(exposures) <(lamp_levels)
}
flashes_after() { awk -v from="$(exposures | tail -n 1 | cut -f2)" '$1 > from + 6 && $2 == 0' <(lamp_levels) | wc -l; }

press-button() {
  scene="a press"
  check "$scene: the lamp says that it will fire" wait_for 10 lamp_is_on
  press_until 1 capturing
  check "$scene: the lamp is dark while the shutter is open" not lamp_is_on
  check "$scene: the bracket is fired" ends_well
  whole
  check "$scene: the journal has each frame by our fields" \
    test "$(fired_by_journal)" = '1.1 2" of 1,1.2 4" of 1,1.3 8" of 1'
  check "$scene: and that it is complete" test "$(entries MESSAGE_ID=21b53e53d7ce43379d636a0ec120e035 | jq -r '.MESSAGE, .BRACKETD_SHOOT' | paste -sd ,)" = \
    "3 of 3 exposures captured,1"
  check "$scene: journalctl -x explains it" sh -c 'journalctl -x --no-pager -u bracketd | grep "every planned frame as captured"'
  sleep 8
  check "$scene: not once did the lamp shine into a picture" test "$(flashes_in_exposures)" = 0
  note "the lamp flashed $(flashes_between) times between the frames, $(flashes_after) times after the last"
  check "$scene: between the frames it said that it goes on" test "$(flashes_between)" -ge 8
  check "$scene: then that all is done" test "$(flashes_after)" -ge 1
}

pause() {
  scene="a press during a shoot"
  press_until 1 capturing
  press
  check "$scene: it pauses" wait_for 60 entered shooting byCommand
  check "$scene: after the frame" fired_just '2"'
  check "$scene: the status says so" status_says "^Paused.* 1 of 3 exposures captured\.$"
  sleep 3
  check "$scene: nothing is fired meanwhile" fired_just '2"'
  press
  check "$scene: the next press goes on, to the end" ends_well
  whole
}

hold-button() {
  scene="a button that is held"
  press_until 2 capturing
  hold
  check "$scene: the shoot is cancelled" wait_for 60 entered shooting cancelled
  check "$scene: after the frame" fired_just '2" 4"'
  check "$scene: the status says so" status_says "^Stopped at set 1, frame 2\. 2 of 3 exposures captured\."
  from_now_on
  sleep 2
  check "$scene: to let go of it fires nothing" not entered shooting settingSpeed
}

knock-tripod() {
  scene="a knock"
  card_from_now_on
  from_now_on
  local before
  before=$(button_levels | wc -l)
  knock
  check "$scene: the kernel told both edges" wait_for 5 more_levels "$before" 2
  sleep 2
  check "$scene: nothing is fired" test "$(entries BRACKETD_CHART=shooting | wc -l)" = 0
}
more_levels() { [ "$(button_levels | wc -l)" -ge $(($1 + $2)) ]; }

unplug() {
  scene="the chip is unplugged"
  from_now_on
  chip_unplugged
  check "$scene: the button is missed" wait_for 30 entries_say "The button is lost"
  check "$scene: and the lamp" wait_for 30 entries_say "The lamp is lost"
  check "$scene: the daemon lives" connected
  check "$scene: doctor says it" wait_for 10 doctor_says fail
  chip_plugged
  check "$scene: plugged in again both are found" wait_for 90 doctor_says pass
  check "$scene: the lamp shines again" wait_for 10 lamp_is_on
  press_until 1 capturing
  check "$scene: a press fires" ends_well
  whole
}
entries_say() { entries | jq -r .MESSAGE | grep -F -- "$1"; }

# --- faults
# -------------------------------------------------------------------------------------------------------------

another_runs() { [ "$(unit MainPID)" != 0 ] && [ "$(unit MainPID)" != "$1" ] && [ "$(unit ActiveState)" = active ]; }
interrupted() { status_says "^Interrupted"; }

kill-daemon() {
  scene="the daemon is killed"
  press_until 2 capturing
  local before
  before=$(unit MainPID)
  kill -9 "$before"
  check "$scene: systemd starts it again" wait_for 60 another_runs "$before"
  check "$scene: it connects again" wait_for 120 connected
  check "$scene: it knows the shoot" wait_for 30 interrupted
  note "$(sentence)"
  from_now_on
  press
  check "$scene: a press goes on with it, to the end" ends_well
  whole_after_crash
}

stop() {
  scene="a stop during an exposure"
  press_until 3 capturing
  local from
  from=$(now)
  systemctl stop bracketd.socket bracketd.service
  note "it took $((($(now) - from) / 1000)) ms"
  check "$scene: it waits for the frame" fired_just "$planned"
  check "$scene: and ends in order" test "$(unit Result) $(unit ActiveState)" = "success inactive"
  check "$scene: the lamp is off" not lamp_is_on
  systemctl start bracketd
  check "$scene: it runs again, and connects" wait_for 60 connected
  note "$(sentence)"

  scene="a stop in the middle"
  press_until 2 capturing
  systemctl stop bracketd.socket bracketd.service
  check "$scene: the frame is taken, and no other" fired_just '2" 4"'
  systemctl start bracketd
  check "$scene: it connects again" wait_for 60 connected
  check "$scene: it knows the shoot" wait_for 30 interrupted
  from_now_on
  press
  check "$scene: a press goes on with it, to the end" ends_well
  whole
}

reload() {
  scene="a reload during a shoot"
  press_until 1 capturing
  local before
  before=$(unit MainPID)
  sed -i '/^\[button\]/a while-shooting = "nothing"' /etc/bracketd/bracketd.toml
  check "$scene: it is done" systemctl reload bracketd
  check "$scene: and said" wait_for 30 entries_say "The configuration was read again"
  press
  check "$scene: a press pauses no more, the shoot ends well" ends_well
  check "$scene: it did not pause" not entered shooting byCommand
  whole
  check "$scene: the daemon is the same" test "$(unit MainPID)" = "$before"
  sed -i '/^while-shooting/d' /etc/bracketd/bracketd.toml
  check "$scene: as before, again" systemctl reload bracketd
}

# stuck HOW: the daemon's core hangs in a shoot. Its loop is that of the real daemon, which systemd starts in its
# place.
stuck() {
  configured "$camera_ip:15740" by-itself
  dropin watchdog "WatchdogSec=6s"
  dropin stuck "Environment=STUCK=$1
ExecStart=
ExecStart=/usr/local/bin/stuckd /etc/bracketd/bracketd.toml"
  install /payload/bin/stuckd /usr/local/bin/
  systemctl restart bracketd
  check "$scene: it connects" wait_for 60 connected
  press_until 2 capturing
  local before
  before=$(unit MainPID)
  check "$scene: it is not the daemon itself" test "$(readlink "/proc/$before/exe")" = /usr/local/bin/stuckd
  no_dropin stuck
  local from
  from=$(now)
  kill -HUP "$before"
  check "$scene: systemd starts the daemon in its place" wait_for 90 another_runs "$before"
  note "$((($(now) - from) / 1000)) ms after it got stuck"
  check "$scene: because it was silent" journal_of_systemd "Watchdog timeout"
  check "$scene: that is why it failed" journal_of_systemd "Failed with result 'watchdog'"
  check "$scene: it is the daemon itself" test "$(readlink "/proc/$(unit MainPID)/exe")" = /usr/bin/bracketd
  check "$scene: the shoot goes on by itself, and ends well" ends_well
  whole_after_crash
  no_dropin watchdog
  configured "$camera_ip:15740"
  systemctl restart bracketd
  check "$scene: the real one is back as it was" wait_for 60 connected
}
journal_of_systemd() {
  journalctl --sync
  journalctl -q -o json --no-pager UNIT=bracketd.service --since "@$((marked_at / 1000000))" | jq -r .MESSAGE | grep -F -- "$1"
}
hang() {
  scene="a loop that hangs"
  stuck hang
}
babble() {
  scene="charts that send each other messages without end"
  stuck babble
}

air() {
  scene="the access point dies"
  press_until 2 waitingForIdle
  from_now_on
  access_point_dies
  check "$scene: the shoot stops there" wait_for 60 entered shooting wifiSwitched
  check "$scene: it says why" wait_for 30 status_says "^Paused \(wifi-switched\): The computer lost $camera_ssid"
  access_point_on
  check "$scene: the board joins again" wait_for 120 is_on $camera_ssid
  check "$scene: the shoot goes on by itself, and ends well" ends_well
  whole
}

if [ $# = 0 ]; then set -- press-button pause hold-button knock-tripod unplug kill-daemon stop reload hang babble air; fi
for scenario; do
  check "the camera is there" wait_for 60 connected
  "$scenario"
done
