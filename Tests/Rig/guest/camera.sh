# The simulated camera behind its access point, and its card.
# shellcheck shell=bash
save_time=4s

camera_switched_on() {
  # The function in_camera is not used here. The background process must be the camera's own, so that it can be killed.
  ip netns exec camera /payload/bin/camerasim sony --listen $camera_ip:15740 --picture-size small --save-time $save_time --card $rig/card.json --log \
    >>$rig/camera.log 2>&1 &
  camera=$!
}

# Kills the camera's program. Its WiFi continues.
camera_breaks_down() {
  kill -9 "$camera"
  # The braces hide the shell's own message about the killed process.
  { wait "$camera" || true; } 2>/dev/null
}

camera_listens() { in_camera ss -Hltn "sport = :15740" | grep -q LISTEN; }

# Later checks count only new pictures on the card.
card_from_now_on() { cards=$(wc -l 2>/dev/null <$rig/card.json || echo 0); }
fired() { tail -n +$((cards + 1)) $rig/card.json | jq -r .speed | paste -sd ' '; }
fired_just() { [ "$(fired | tee /dev/stderr)" = "$1" ]; }

# fired_one_of CARD...: the card has one of these contents.
fired_one_of() {
  local card found
  found=$(fired | tee /dev/stderr)
  for card; do [ "$found" != "$card" ] || return 0; done
  return 1
}
