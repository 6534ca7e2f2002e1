#!/usr/bin/env bash
# Records the kernel's netlink messages while a board joins, scans, roams, loses an access point and rejoins: data for
# the tests of our parsers. Writes netlink.pcap to /results.
set -euo pipefail
. ./lib.sh
. ./air.sh

modprobe nlmon
ip link add nlmon0 type nlmon
ip link set nlmon0 up
tcpdump -i nlmon0 -s 0 -U -w /results/netlink.pcap 2>$rig/tcpdump.log &
tcpdump=$!
wait_for 10 test -s /results/netlink.pcap

ask() (
  set +e
  exec >>/results/asked.log 2>&1
  iw dev
  iw dev wlan0 info
  iw dev wlan0 link
  iw dev wlan0 scan dump
  iw dev wlan0 station dump
  ip address show
  ip route show table all
  ip route get $camera_ip
  true
)

air_up
ask
station_up
check "the board joins the camera's network" wait_for 60 is_on "$camera_ssid"
check "packets reach the camera" wait_for 30 reaches_camera
ask
roam_home
check "the board changes to the other network" wait_for 60 is_on "$home_ssid"
sleep 1
ask
rejoin_camera
check "the board returns to the camera's network" wait_for 60 is_on "$camera_ssid"
check "packets reach the camera again" wait_for 30 reaches_camera
access_point_dies
check "the board notices an access point that is silent" wait_for 60 not is_on "$camera_ssid"
ask
access_point_on
check "the board returns by itself" wait_for 60 is_on "$camera_ssid"
kill -TERM "$(cat $air/camera.pid)"
check "the board notices an access point that disconnects it" wait_for 60 not is_on "$camera_ssid"
ip link set wlan0 name renamed0 2>>/results/asked.log || true
ask
sleep 1
kill $tcpdump
wait $tcpdump || true
keep_air_logs
check "the recording has data" test -s /results/netlink.pcap
