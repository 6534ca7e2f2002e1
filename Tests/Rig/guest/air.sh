# Three simulated radios. wlan0 is the board's. The camera's and the home's are in separate namespaces, where hostapd
# makes them access points. Every packet between the namespaces crosses the simulated air.
# shellcheck shell=bash
camera_ssid=DIRECT-a1E0:ILCE-7M3
home_ssid=Home
camera_ip=192.168.122.1
air=$rig/air
mkdir -p $air

in_camera() { ip netns exec camera "$@"; }
in_home() { ip netns exec home "$@"; }

# radio_to NAMESPACE INTERFACE
radio_to() {
  ip netns add "$1"
  ip -n "$1" link set lo up
  iw phy "$(basename "$(readlink -f "/sys/class/net/$2/phy80211")")" set netns name "$1"
}

# access_point_file FILE INTERFACE SSID CHANNEL
access_point_file() {
  cat >"$1" <<CONF
interface=$2
driver=nl80211
ssid=$3
hw_mode=g
channel=$4
wpa=2
wpa_key_mgmt=WPA-PSK
rsn_pairwise=CCMP
wpa_passphrase=secret-of-$4
CONF
}

# Switches the camera's WiFi on.
access_point_on() {
  in_camera hostapd -B -P $air/camera.pid $air/camera.conf >>$air/camera-hostapd.log
  in_camera ip address replace $camera_ip/24 dev wlan1
}

# Ends the camera's WiFi as an empty battery does: no deauthentication, then silence.
access_point_dies() {
  kill -9 "$(cat $air/camera.pid)"
  in_camera ip link set wlan1 down
}

station() { wpa_cli -p $air/control -i wlan0 "$@" >/dev/null; }
roam_home() { station select_network 1; }
rejoin_camera() { station select_network 0; }
is_on() { iw dev wlan0 link | grep -qxF "	SSID: $1"; }

# Checks whether packets reach the camera and return.
reaches_camera() { ping -c 1 -W 1 $camera_ip; }

air_up() {
  modprobe mac80211_hwsim radios=3
  wait_for 10 test -e /sys/class/net/wlan2
  radio_to camera wlan1
  radio_to home wlan2
  access_point_file $air/camera.conf wlan1 $camera_ssid 6
  access_point_file $air/home.conf wlan2 $home_ssid 11
  access_point_on
  in_home hostapd -B -P $air/home.pid $air/home.conf >$air/home-hostapd.log
  in_home ip address add 192.168.50.1/24 dev wlan2
}

# The board knows both networks, starts with the camera's, and gets an address in each. One channel each, because a
# scan of all takes a quarter of a minute here.
station_up() {
  cat >$air/station.conf <<CONF
ctrl_interface=$air/control
network={
  ssid="$camera_ssid"
  psk="secret-of-6"
  scan_freq=2437
}
network={
  ssid="$home_ssid"
  psk="secret-of-11"
  scan_freq=2462
  disabled=1
}
CONF
  # The commands run in the background as long as the guest lives. Their output helps to debug a run.
  stdbuf -oL iw event -t >$air/iw-event.log 2>&1 &
  stdbuf -oL ip -ts monitor link route address >$air/ip-monitor.log 2>&1 &
  wpa_supplicant -B -i wlan0 -c $air/station.conf -f $air/station.log >/dev/null
  wpa_cli -p $air/control -i wlan0 -B -a /payload/addresses
}

# The time at which the board's WiFi last joined a network, in microseconds of the wall clock.
joined_at() { sed -n 's/^\([0-9]*\)\.\([0-9]*\): wlan0.*: connected to .*/\1\2/p' $air/iw-event.log | tail -n 1; }

keep_air_logs() { cp $air/*.log /results/; }
