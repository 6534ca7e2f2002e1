# The user's board: a button and a lamp at a GPIO chip, and the package. The chip is the kernel's gpio-sim.
# shellcheck shell=bash
chip=/sys/kernel/config/gpio-sim/pins
tracing=/sys/kernel/tracing

# Lines without a use have no names.
chip_up() {
  modprobe gpio-sim
  mountpoint -q /sys/kernel/config || mount -t configfs none /sys/kernel/config
  mkdir -p $chip/bank0/line17 $chip/bank0/line27
  echo 28 >$chip/bank0/num_lines
  echo tripod >$chip/bank0/label
  echo BUTTON >$chip/bank0/line17/name
  echo LAMP >$chip/bank0/line27/name
  chip_plugged
}
chip_unplugged() { echo 0 >$chip/live; }
chip_plugged() {
  echo 1 >$chip/live
  pins=/sys/devices/platform/$(cat $chip/dev_name)/$(cat $chip/bank0/chip_name)
  # The button is not pressed.
  echo pull-up >"$pins/sim_gpio17/pull"
  # The trace uses the kernel's old line numbers, which have an offset.
  pin_base=$(cat /sys/class/gpio/gpiochip*/base | tail -n 1)
}

# A pipe without a writer. To wait for it starts no process. In an emulator, a start takes longer than a knock.
exec {never}<> <(:)
rest() { read -r -t "$1" -u $never _ || true; }
press_for() {
  echo pull-down >"$pins/sim_gpio17/pull"
  rest "$1"
  released_at=$(now)
  echo pull-up >"$pins/sim_gpio17/pull"
}
press() { press_for 0.4; }
hold() { press_for 3; }
knock() { press_for 0.04; }
lamp_is_on() { [ "$(cat "$pins/sim_gpio27/value")" = 1 ]; }

# Each change of both lines. `set` is for the lamp, `get` for the button (read after the debounce time). The columns:
# seconds of the kernel's monotonic clock, number of the line, `set` or `get`, level, process.
trace_pins() {
  mountpoint -q $tracing || mount -t tracefs none $tracing
  echo mono >$tracing/trace_clock
  echo 1 >$tracing/events/gpio/gpio_value/enable
}
pin_events() {
  awk -v base="$pin_base" '/gpio_value:/ { time = word = "";
    for (i = 1; i <= NF; i++) if ($i == "gpio_value:") { time = $(i - 1); pin = $(i + 1); word = $(i + 2); level = $(i + 3) }
    sub(":", "", time); print time, pin - base, word, level, $1 }' $tracing/trace
}
# The levels of the button in the trace. The daemon also reads the button at times; those rows are excluded.
button_levels() { pin_events | awk '$2 == 17 && $3 == "get" && $5 ~ /^kworker/ { print $1, $4 }'; }
lamp_levels() { pin_events | awk '$2 == 27 && $3 == "set" { print $1, $4 }'; }

# Installs the built package as apt does, but without the check of dependencies, because the image has them.
package_installed() { dpkg --install ./board/bracketd.deb >$rig/dpkg.log 2>&1 || { cat $rig/dpkg.log && return 1; }; }

# configured ADDRESS [RESUME]: configures the camera's address, and button and lamp if the chip is there. min-press is
# 200 ms, because an emulated machine cannot produce a knock of 20 ms.
configured() {
  local lines=''
  [ -z "${pins:-}" ] || lines=$'[button]\nline = "BUTTON"\nmin-press = "200 ms"\n[lamp]\nline = "LAMP"'
  mkdir -p /etc/bracketd
  cat >/etc/bracketd/bracketd.toml <<TOML
[camera]
address = "$1"
[recovery]
resume = "${2:-by-command}"
$lines
[plan]
shadow = "${shadow:-8s}"
highlight = "${highlight:-2s}"
frames = 3
TOML
}

ctl() { bracketctl "$@"; }
sentence() { ctl status | head -n 1; }
status_says() { sentence | tee /dev/stderr | grep -E "$1"; }
# doctor_says pass|fail: of button and lamp both.
doctor_says() {
  { ctl doctor --json || true; } | tee /dev/stderr |
    jq -e --arg result "$1" '[.checks[] | select(.name == "button" or .name == "lamp") | .result] == [$result, $result]'
}
unit() { systemctl show -P "$1" bracketd.service; }
dropin() {
  mkdir -p /run/systemd/system/bracketd.service.d
  printf '[Service]\n%s\n' "$2" >"/run/systemd/system/bracketd.service.d/$1.conf"
  systemctl daemon-reload
}
no_dropin() {
  rm -f "/run/systemd/system/bracketd.service.d/$1.conf"
  systemctl daemon-reload
}

# The daemon's entries with these fields, `NAME=value`, since `from_now_on`.
entries() { journalctl -q -o json --no-pager -u bracketd --since "@$((marked_at / 1000000)).$(printf %06d $((marked_at % 1000000)))" "$@"; }
