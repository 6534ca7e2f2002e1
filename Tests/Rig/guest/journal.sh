# The daemon's journal entries as they arrive. `ctl` runs bracketctl.
# shellcheck shell=bash
log=$rig/transitions

# A line per entry: microseconds of the wall clock, chart, state entered, reason, sentence.
follow_journal() {
  touch $log
  journalctl -f -n all -o json -u bracketd | jq --unbuffered -r \
    '[.__REALTIME_TIMESTAMP, .BRACKETD_CHART // "-", .BRACKETD_TO // "-", .BRACKETD_REASON // "-", .MESSAGE] | join("|")' \
    >>$log &
  mark=0
}

connected() { ctl status | grep -E '^connection +connected'; }

# Later checks count only new entries.
from_now_on() {
  mark=$(wc -l <$log)
  marked_at=$(now)
}
since() { tail -n +$((mark + 1)) $log; }

# entered CHART STATE: whether that state was entered.
entered() { since | grep -E "^[0-9]+\|$1\|([^|]* )?$2[ |]"; }

# entered_at CHART STATE [AFTER]: when it was first entered, not before AFTER.
entered_at() {
  since | awk -F'|' -v chart="$1" -v state="$2" -v after="${3:-0}" \
    '$2 == chart && $1 + 0 >= after + 0 && (" " $3 " ") ~ (" " state " ") { print $1; exit }'
}
