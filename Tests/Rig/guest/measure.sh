#!/usr/bin/env bash
# Measures the daemon's load and the time from the button to the shutter, on the whole board. The figures are the
# purpose; the checks only confirm that they are valid.
#   measure.sh [IDLE SECONDS] [PRESSES]     default 60 and 110; without presses only the load
set -euo pipefail
. ./lib.sh
. ./air.sh
. ./journal.sh
. ./camera.sh
. ./board.sh
capture=/results/button.pcap
at_end() {
  keep_air_logs
  cp $log $rig/*.log $rig/card.json $tracing/trace /results/ || true
  cp -r /var/lib/bracketd/flight /results/ || true
}
trap at_end EXIT
idle=${1:-60} presses=${2:-110}
figure() {
  note "$*"
  echo "$*" >>/results/figures
}

chip_up
trace_pins
air_up
station_up
wait_for 60 is_on $camera_ssid
wait_for 30 reaches_camera
save_time=0.2s camera_switched_on
wait_for 30 camera_listens
check "the package is installed" package_installed
shadow=1/125 highlight=1/125 configured "$camera_ip:15740"
follow_journal
from_now_on
systemctl restart bracketd
check "the daemon connects to the camera" wait_for 60 connected

# --- from the button to the shutter ---------------------------------------------------------------------------------------

# The microseconds from each press until its shoot was on disk.
disk_times() {
  local newest
  newest=$(find /var/lib/bracketd/flight -name '*.rec' | sort | tail -n 1)
  bracketctl replay "$newest" --step --json </dev/null | jq -r 'select(.input) |
    if .input == "message inside the core: the button was pressed" then "pressed \(.milliseconds)"
    elif .input == "message inside the core: the requested rows are on disk" then "kept \(.milliseconds)" else empty end' |
    awk '$1 == "pressed" { at = $2; next } at != "" { print ($2 - at) * 1000; at = "" }'
}

measure_presses() {
  # The difference between the wall clock and the monotonic clock in microseconds. A journal entry has both times.
  wall_ahead() { journalctl -q -n 1 -o json | jq -r '(.__REALTIME_TIMESTAMP | tonumber) - (.__MONOTONIC_TIMESTAMP | tonumber)'; }
  tcpdump -i wlan0 -s 256 -U -w $capture "tcp port 15740" 2>$rig/tcpdump.log &
  tcpdump=$!
  wait_for 30 test -s $capture
  echo >$tracing/trace
  : >$rig/released
  ahead=$(wall_ahead)
  for ((i = 0; i < presses; i++)); do
    from_now_on
    press
    echo "$released_at" >>$rig/released
    # No other program runs while the daemon is measured.
    rest 1
    wait_for 30 entered shooting completed || check "press $i fires" false
  done
  rest 1
  kill $tcpdump
  wait $tcpdump || true
  ahead_at_end=$(wall_ahead)
  note "the two clocks moved $((ahead_at_end - ahead)) µs against each other"
  button_levels >$rig/levels.log
  cp $rig/released /results/

  # Prints a line for each packet with data: microseconds, `out` to the camera or `in` from the camera, and its bytes.
  packets() {
    tcpdump -r $capture -tt -n -x 'tcp[tcpflags] & tcp-push != 0 or greater 70' 2>/dev/null | awk '
      function tell() { if (time != "") print time, way, bytes }
      /^[0-9]/ { tell(); split($1, t, "."); time = t[1] t[2]; way = $3 ~ /\.15740$/ ? "in" : "out"; bytes = ""
        length_at = 0; for (i = 1; i < NF; i++) if ($i == "length") length_at = $(i + 1) + 0
        if (length_at == 0) time = ""; next }
      { for (i = 2; i <= NF; i++) bytes = bytes $i }
      END { tell() }'
  }
  packets >$rig/packets.log
  # Three times for each release of the button. First, the first request to set the shutter speed (SDIO_ControlDevice
  # A, 0x9205 of 0xD20D). Second, the first to move the shutter button (B, 0x9207 of 0xD2C1). Third, the camera's last
  # packet before that.
  awk -v ahead="$ahead" '
    NR == FNR { if ($2 == 1) edge[++edges] = $1 * 1e6 + ahead; next }
    { while (next_edge < edges && $1 >= edge[next_edge + 1]) { next_edge++; set = shutter = 0; before = edge[next_edge] }
      if (next_edge == 0 || shutter) next
      if ($2 == "in") { heard = $1; next }
      if ($3 ~ /0592........0dd20000/ && !set) { set = $1; first = $1 - edge[next_edge] }
      if ($3 ~ /0792........c1d20000/) { shutter = $1
        if (set) printf "%d %d %d %d\n", first, $1 - heard, first + $1 - heard, $1 - edge[next_edge] } }
  ' $rig/levels.log $rig/packets.log >$rig/latency.log
  counted=$(wc -l <$rig/latency.log)
  check "each press is on the wire" test "$counted" = "$presses"
  check "the number of presses is at least a hundred" test "$counted" -ge $((presses < 100 ? presses : 100))
  check "the card has as many frames" test "$(wc -l <$rig/card.json)" = "$presses"
  # quantiles COLUMN: prints the quantiles of a column in milliseconds.
  quantiles() {
    cut -d' ' -f"$1" | sort -n | awk '{ v[NR] = $1 / 1000 } function at(p) { i = int(p * NR + 0.999999); return v[i < 1 ? 1 : i] }
      END { printf "p50 %.1f ms, p99 %.1f ms, max %.1f ms", at(0.5), at(0.99), v[NR] }'
  }
  figure "$counted presses, from the kernel's edge to the shutter command, beyond the setting of the speed: $(quantiles 3 <$rig/latency.log)"
  figure "  of that from the edge to the speed's command: $(quantiles 1 <$rig/latency.log)"
  figure "  and from the camera's last answer to the shutter command: $(quantiles 2 <$rig/latency.log)"
  # The flight recording shows when the shoot of each press was on disk. The camera sets the speed during this time.
  disk_times >$rig/disk.log
  check "the flight recording has each press" test "$(wc -l <$rig/disk.log)" = "$presses"
  figure "  the ledger's disk has the shoot after, beside the setting of the speed: $(quantiles 1 <$rig/disk.log)"
  figure "  with the setting of the speed: $(quantiles 4 <$rig/latency.log)"
  awk -v ahead="$ahead" 'NR == FNR { if ($2 == 1) edge[++n] = $1 * 1e6 + ahead; next } edge[FNR] { printf "%d\n", edge[FNR] - $1 }' \
    $rig/levels.log $rig/released >$rig/debounced.log
  figure "  before it, from the line's change to the edge that the kernel's debounce of 5 ms lets through: $(quantiles 1 <$rig/debounced.log)"
}
[ "$presses" = 0 ] || measure_presses

# --- the load
# ---------------------------------------------------------------------------------------------------------

pid=$(unit MainPID)
# Prints the milliseconds of processor time, and the numbers of voluntary and involuntary context switches.
taken() {
  cat /proc/"$pid"/task/*/schedstat | awk '{ ns += $1 } END { printf "%d ", ns / 1e6 }'
  cat /proc/"$pid"/task/*/status | awk '/^voluntary/ { v += $2 } /^nonvoluntary/ { n += $2 } END { print v, n }'
}
memory() { awk '/^VmRSS/ { rss = $2 } /^RssAnon/ { anon = $2 } END { printf "RSS %.1f MB, of that %.1f MB its own", rss / 1024, anon / 1024 }' "/proc/$pid/status"; }
# takes WHAT COMMAND...
takes() {
  local what=$1 before after from
  shift
  from=$(now)
  before=$(taken)
  "$@"
  after=$(taken)
  # shellcheck disable=SC2086
  figure "$what: $(echo $before $after $((($(now) - from) / 1000)) | awk '{
    printf "%.1f s: %d ms on a processor (%.2f %%), woken %d times (%.1f a second)", $7 / 1000, $4 - $1, ($4 - $1) / $7 * 100, $5 - $2, ($5 - $2) / $7 * 1000 }'), $(memory)"
}

shoot_of_15() {
  ctl shoot --yes --shadow 1/4 --highlight 1/1000 --frames 5 >$rig/shoot.out 2>&1 &
  local shooting=$!
  wait $shooting || true
}
ctl status >/dev/null
takes "a shoot of 15 frames, 1/1000 to 4 s" shoot_of_15
check "the shoot captured 15 exposures" test "$(tail -n 1 $rig/shoot.out)" = "15 of 15 exposures captured"
rest 5
takes "idle, a camera connected, the lamp showing a completed shoot" rest $((idle < 60 ? idle : 60))
# After a shoot the lamp shows its result until the next shoot or start. The restart switches it off.
systemctl restart bracketd
check "the daemon connects to the camera again" wait_for 60 connected
pid=$(unit MainPID)
rest 3
takes "idle, a camera connected, the lamp steady" rest "$idle"
check "the daemon did not restart" test "$(unit NRestarts) $(unit ActiveState)" = "0 active"
