# The daemon under test as a unit of systemd; clients request its shoots.
# shellcheck shell=bash
. ./journal.sh
. ./camera.sh
export BRACKETD_SOCKET=$rig/socket

daemon_up() {
  cat >$rig/bracketd.toml <<TOML
[socket]
path = "$BRACKETD_SOCKET"
[storage]
directory = "$rig/state"
[camera]
address = "$camera_ip:15740"
TOML
  cat >/run/systemd/system/bracketd.service <<UNIT
[Service]
Type=notify
ExecStart=/payload/bin/bracketd --config $rig/bracketd.toml
WatchdogSec=20
UNIT
  systemctl daemon-reload
  follow_journal
  systemctl start bracketd
}

ctl() { /payload/bin/bracketctl "$@"; }
sentence() { ctl status | head -n 1; }
status_says() { sentence | tee /dev/stderr | grep "$1"; }

# The different reasons for pauses so far, on one line.
reasons() { since | awk -F'|' '$4 != "-" { print $4 }' | sort -u | paste -sd ' '; }
gave_only() { [ "$(reasons | tee /dev/stderr)" = "$1" ]; }

# Three frames of 2, 4 and 8 s. After each of them the body saves for 4 s.
planned='2" 4" 8"'
shoot() {
  card_from_now_on
  from_now_on
  ctl shoot --yes --shadow 8s --highlight 2s --frames 3 >$rig/shoot.out 2>&1 &
  shooting=$!
}
# The shoot ends with every frame captured, according to its client.
shoot_ends_well() {
  wait_for 180 not kill -0 "$shooting" || return
  cat $rig/shoot.out
  wait "$shooting" && [ "$(tail -n 1 $rig/shoot.out)" = "3 of 3 exposures captured" ]
}

milliseconds() { if [ -n "$1" ] && [ -n "$2" ]; then echo "$((($2 - $1) / 1000)) ms"; else echo "not seen"; fi; }

# figures FROM WHAT: the times from FROM until the camera is connected, and until its shutter is released again.
figures() {
  local back=$1 what=$2 text
  text="from $what until connected: $(milliseconds "$back" "$(entered_at connection connected "$back")")"
  text+=", until the next frame's shutter: $(milliseconds "$back" "$(entered_at shooting capturing "$back")")"
  note "$text"
  echo "$scene: $text" >>/results/figures
}
