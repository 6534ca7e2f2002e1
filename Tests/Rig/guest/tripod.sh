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
  wait_for 120 frame_is "$1" "$2" || check "$scene: frame $1 reaches the state $2" false
}
whole() { check "$scene: the card has the planned frames, each once" fired_just "$planned"; }

# After a crash during an exposure. The camera's count of shots shows whether that frame was fired; without a certain
# count it is fired again (docs/recovery.md). A core in the fault `babble` continues its shoot, and may have reached
# the third frame.
whole_after_crash() {
  check "$scene: the card has the planned frames, at most the one in doubt twice" \
    fired_one_of "$planned" '2" 4" 4" 8"' '2" 4" 8" 8"'
  note "on the card: $(fired)"
}

chip_up
trace_pins
air_up
station_up
check "the board joins the camera's network" wait_for 60 is_on $camera_ssid
check "packets reach the camera" wait_for 30 reaches_camera
camera_switched_on
check "the camera accepts connections" wait_for 30 camera_listens
check "the package is installed" package_installed
check "the daemon runs with the sample configuration" test "$(unit ActiveState)" = active
configured "$camera_ip:15740"
check "the configuration is valid" bracketd --config /etc/bracketd/bracketd.toml --check
follow_journal
systemctl restart bracketd
check "the daemon connects to the camera" wait_for 60 connected
check "doctor finds button and lamp" doctor_says pass


# --- normal use
# --------------------------------------------------------------------------------------------------------

# The id of the transitions. The entries are filtered by bracketd's journal fields, as a user does.
transition=a3c51a5d70db424c822d37f16938fc55
fired_by_journal() {
  entries MESSAGE_ID=$transition BRACKETD_CHART=shooting | jq -r 'select(.BRACKETD_TO == "capturing") |
    "\(.BRACKETD_SET).\(.BRACKETD_FRAME) \(.BRACKETD_SPEED) of \(.BRACKETD_SHOOT)"' | paste -sd ,
}
# The times at which a frame's exposure began and at which the camera reported its picture, in seconds of the kernel's
# monotonic clock.
exposures() {
  entries BRACKETD_CHART=shooting | jq -r 'select(.BRACKETD_TO == "capturing" or .BRACKETD_FROM == "capturing") |
    (.__MONOTONIC_TIMESTAMP | tonumber / 1e6)' | paste - -
}
# How often the lamp was switched on while a shutter was open. The journal entry comes a little after the switch.
flashes_in_exposures() {
  awk 'NR == FNR { from[NR] = $1; to[NR] = $2; next }
    $2 == 1 { for (i in from) if ($1 > from[i] && $1 < to[i] - 0.5) count++ } END { print count + 0 }' <(exposures) <(lamp_levels)
}
# How often the lamp was switched on between the exposures and after the last one.
flashes_between() {
  awk 'NR == FNR { from[NR] = $1; to[NR] = $2; n = NR; next }
    $2 == 1 { for (i = 1; i < n; i++) if ($1 > to[i] && $1 < from[i + 1]) count++ } END { print count + 0 }' <(exposures) <(lamp_levels)
}
flashes_after() { awk -v from="$(exposures | tail -n 1 | cut -f2)" '$1 > from + 6 && $2 == 0' <(lamp_levels) | wc -l; }

press-button() {
  scene="a press"
  check "$scene: the lamp shows that a press fires" wait_for 10 lamp_is_on
  press_until 1 capturing
  check "$scene: the lamp is dark while the shutter is open" not lamp_is_on
  check "$scene: the shoot is completed" ends_well
  whole
  check "$scene: the journal's fields name each frame" \
    test "$(fired_by_journal)" = '1.1 2" of 1,1.2 4" of 1,1.3 8" of 1'
  check "$scene: the journal reports the complete shoot" test "$(entries MESSAGE_ID=21b53e53d7ce43379d636a0ec120e035 | jq -r '.MESSAGE, .BRACKETD_SHOOT' | paste -sd ,)" = \
    "3 of 3 exposures captured,1"
  check "$scene: journalctl -x has the explanation" sh -c 'journalctl -x --no-pager -u bracketd | grep "every planned frame as captured"'
  sleep 8
  check "$scene: the lamp is dark during every exposure" test "$(flashes_in_exposures)" = 0
  note "the lamp flashed $(flashes_between) times between the frames, $(flashes_after) times after the last"
  check "$scene: between the frames the lamp shows that the shoot continues" test "$(flashes_between)" -ge 8
  check "$scene: then the lamp shows that the shoot is completed" test "$(flashes_after)" -ge 1
}

pause() {
  scene="a press during a shoot"
  press_until 1 capturing
  press
  check "$scene: the shoot pauses" wait_for 60 entered shooting byCommand
  check "$scene: after the frame" fired_just '2"'
  check "$scene: the status has the sentence" status_says "^Paused.* 1 of 3 exposures captured\.$"
  sleep 3
  check "$scene: no frame is fired during the pause" fired_just '2"'
  press
  check "$scene: the next press resumes, and the shoot is completed" ends_well
  whole
}

hold-button() {
  scene="a button that is held"
  press_until 2 capturing
  hold
  check "$scene: the shoot is cancelled" wait_for 60 entered shooting cancelled
  check "$scene: after the frame" fired_just '2" 4"'
  check "$scene: the status has the sentence" status_says "^Stopped at set 1, frame 2\. 2 of 3 exposures captured\."
  from_now_on
  sleep 2
  check "$scene: the release fires no frame" not entered shooting settingSpeed
}

knock-tripod() {
  scene="a knock"
  card_from_now_on
  from_now_on
  local before
  before=$(button_levels | wc -l)
  knock
  check "$scene: the kernel reported both edges" wait_for 5 more_levels "$before" 2
  sleep 2
  check "$scene: no shoot begins" test "$(entries BRACKETD_CHART=shooting | wc -l)" = 0
}
more_levels() { [ "$(button_levels | wc -l)" -ge $(($1 + $2)) ]; }

unplug() {
  scene="the chip is unplugged"
  from_now_on
  chip_unplugged
  check "$scene: the loss of the button is reported" wait_for 30 entries_say "The button is lost"
  check "$scene: the loss of the lamp is reported" wait_for 30 entries_say "The lamp is lost"
  check "$scene: the daemon still runs" connected
  check "$scene: doctor reports it" wait_for 10 doctor_says fail
  chip_plugged
  check "$scene: after the chip is plugged in both are found" wait_for 90 doctor_says pass
  check "$scene: the lamp is lit again" wait_for 10 lamp_is_on
  press_until 1 capturing
  check "$scene: a press fires the bracket" ends_well
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
  check "$scene: systemd restarts the daemon" wait_for 60 another_runs "$before"
  check "$scene: the daemon connects again" wait_for 120 connected
  check "$scene: the status has the interrupted shoot" wait_for 30 interrupted
  note "$(sentence)"
  from_now_on
  press
  check "$scene: a press resumes the shoot, and it is completed" ends_well
  whole_after_crash
}

stop() {
  scene="a stop during an exposure"
  press_until 3 capturing
  local from
  from=$(now)
  systemctl stop bracketd.socket bracketd.service
  note "it took $((($(now) - from) / 1000)) ms"
  check "$scene: the stop waits for the frame" fired_just "$planned"
  check "$scene: the daemon ends in order" test "$(unit Result) $(unit ActiveState)" = "success inactive"
  check "$scene: the lamp is off" not lamp_is_on
  systemctl start bracketd
  check "$scene: the daemon starts and connects" wait_for 60 connected
  note "$(sentence)"

  scene="a stop in the middle"
  press_until 2 capturing
  systemctl stop bracketd.socket bracketd.service
  check "$scene: the present frame is fired, and no other" fired_just '2" 4"'
  systemctl start bracketd
  check "$scene: the daemon connects again" wait_for 60 connected
  check "$scene: the status has the interrupted shoot" wait_for 30 interrupted
  from_now_on
  press
  check "$scene: a press resumes the shoot, and it is completed" ends_well
  whole
}

reload() {
  scene="a reload during a shoot"
  press_until 1 capturing
  local before
  before=$(unit MainPID)
  sed -i '/^\[button\]/a while-shooting = "nothing"' /etc/bracketd/bracketd.toml
  check "$scene: the reload succeeds" systemctl reload bracketd
  check "$scene: the journal reports the reload" wait_for 30 entries_say "The configuration was read again"
  press
  check "$scene: a press no longer pauses, and the shoot is completed" ends_well
  check "$scene: the shoot did not pause" not entered shooting byCommand
  whole
  check "$scene: the daemon did not restart" test "$(unit MainPID)" = "$before"
  sed -i '/^while-shooting/d' /etc/bracketd/bracketd.toml
  check "$scene: the earlier configuration is loaded" systemctl reload bracketd
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
  check "$scene: the daemon connects" wait_for 60 connected
  press_until 2 capturing
  local before
  before=$(unit MainPID)
  check "$scene: the program is the one that hangs" test "$(readlink "/proc/$before/exe")" = /usr/local/bin/stuckd
  no_dropin stuck
  local from
  from=$(now)
  kill -HUP "$before"
  check "$scene: systemd starts the daemon instead" wait_for 90 another_runs "$before"
  note "$((($(now) - from) / 1000)) ms after it got stuck"
  check "$scene: systemd reports the watchdog's time limit" journal_of_systemd "Watchdog timeout"
  check "$scene: systemd gives the watchdog as the cause" journal_of_systemd "Failed with result 'watchdog'"
  check "$scene: the program is the daemon" test "$(readlink "/proc/$(unit MainPID)/exe")" = /usr/bin/bracketd
  check "$scene: the shoot resumes by itself, and is completed" ends_well
  whole_after_crash
  no_dropin watchdog
  configured "$camera_ip:15740"
  systemctl restart bracketd
  check "$scene: the daemon runs with its earlier configuration" wait_for 60 connected
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
  check "$scene: the shoot pauses" wait_for 60 entered shooting wifiSwitched
  check "$scene: the status has the reason" wait_for 30 status_says "^Paused \(wifi-switched\): This computer lost $camera_ssid"
  access_point_on
  check "$scene: the board joins the network again" wait_for 120 is_on $camera_ssid
  check "$scene: the shoot resumes by itself, and is completed" ends_well
  whole
}

if [ $# = 0 ]; then set -- press-button pause hold-button knock-tripod unplug kill-daemon stop reload hang babble air; fi
for scenario; do
  check "the daemon is connected" wait_for 60 connected
  "$scenario"
done
