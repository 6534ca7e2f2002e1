# The simulated camera behind its access point, and its card.
# shellcheck shell=bash
save_time=4s

camera_switched_on() {
  # Not in_camera: what is started has to be the camera's own process, to be killed.
  ip netns exec camera /payload/bin/camerasim sony --listen $camera_ip:15740 --picture-size small --save-time $save_time --card $rig/card.json --log \
    >>$rig/camera.log 2>&1 &
  camera=$!
}

# The camera's program dies; its WiFi stays.
camera_breaks_down() {
  kill -9 "$camera"
  # Without the shell's own word about it.
  { wait "$camera" || true; } 2>/dev/null
}

camera_listens() { in_camera ss -Hltn "sport = :15740" | grep -q LISTEN; }

# Only what comes to the card from here on counts.
card_from_now_on() { cards=$(wc -l 2>/dev/null <$rig/card.json || echo 0); }
fired() { tail -n +$((cards + 1)) $rig/card.json | jq -r .speed | paste -sd ' '; }
fired_just() { [ "$(fired | tee /dev/stderr)" = "$1" ]; }

# fired_one_of CARD...: it is as one of these.
fired_one_of() {
  local card found
  found=$(fired | tee /dev/stderr)
  for card; do [ "$found" != "$card" ] || return 0; done
  return 1
}
