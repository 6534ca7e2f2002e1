# Sourced by all scripts in the guest. Each printed line begins with the seconds since the guest's kernel started.
# shellcheck shell=bash
rig=/run/rig
mkdir -p $rig
touch $rig/passed $rig/failed

# check NAME COMMAND...: runs it and counts the result; prints its output if it fails.
check() {
  local name=$1 up
  shift
  if "$@" >$rig/last-check 2>&1; then
    echo "$name" >>$rig/passed
    read -r up _ </proc/uptime
    printf '%8s  ok      %s\n' "$up" "$name"
  else
    echo "$name" >>$rig/failed
    read -r up _ </proc/uptime
    printf '%8s  FAILED  %s\n' "$up" "$name"
    tail -n 20 $rig/last-check | sed 's/^/                  | /'
  fi
}

note() { printf '%18s%s\n' '' "$*"; }

# wait_for SECONDS COMMAND...: repeats it until it succeeds. An emulated machine is slow: limits only end a run that
# hangs, and never prove that something was quick.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >$rig/last-try 2>&1; do
    ((SECONDS < end)) || {
      cat $rig/last-try
      echo "not within its time: $*"
      return 1
    }
    sleep 0.2
  done
}

not() { ! "$@"; }

# The wall clock in microseconds.
now() { echo "${EPOCHREALTIME/./}"; }

summary() {
  local passed failed
  passed=$(wc -l <$rig/passed)
  failed=$(wc -l <$rig/failed)
  if [ "$failed" -gt 0 ]; then sed 's/^/FAILED  /' $rig/failed; fi
  echo "$passed checks passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
