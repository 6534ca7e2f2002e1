#!/usr/bin/env bash
# The package under systemd: installed, configured, upgraded during a shoot, removed, purged, and installed without
# systemd. The packages are in package/ and new/, with the same programs; the camera is on this machine, from its own
# package.
set -euo pipefail
. ./lib.sh
. ./journal.sh
at_end() {
  cp $log $rig/*.log $rig/*.out $rig/card.json /results/ || true
}
trap at_end EXIT

export DEBIAN_FRONTEND=noninteractive
# The image excludes the documentation of packages, but a board does not. So this removes the exclusion.
rm -f /etc/dpkg/dpkg.cfg.d/99mmdebstrap
# A board also has apt's cache directory.
mkdir -p /var/cache/apt/archives/partial /var/lib/apt/lists/partial
useradd photographer
useradd stranger

# timed WHAT COMMAND...
timed() {
  local what=$1 from
  shift
  from=$(now)
  "$@" >>$rig/dpkg.log 2>&1 || {
    tail -n 20 $rig/dpkg.log
    return 1
  }
  echo "$what: $((($(now) - from) / 1000)) ms" >>/results/figures
}
unit() { systemctl show --value -p "$1" "${2:-bracketd.service}"; }
state_of() { echo "$(unit ActiveState "$1") $(unit UnitFileState "$1")"; }
as() { runuser -u "$1" -- "${@:2}"; }
ctl() { as photographer bracketctl "$@"; }
prints() { { "${@:2}" 2>&1 || true; } | tee /dev/stderr | grep -E -- "$1"; }

check "apt installs the package with its dependencies" \
  timed install apt-get install -y ./package/bracketd_*.deb
[ -e /usr/bin/bracketd ] || exit 1
check "the service is active and enabled" test "$(state_of bracketd.service)" = "active enabled"
check "the socket is active and enabled" test "$(state_of bracketd.socket)" = "active enabled"
check "the daemon runs as the user bracketd" test "$(stat -c %U "/proc/$(unit MainPID)")" = bracketd
check "the daemon is in its sandbox" systemd-analyze security --no-pager --threshold=20 bracketd.service
usermod --append --groups bracketd photographer
check "a member of the group gets an answer" ctl status
check "another user gets no answer but advice" prints "join the group bracketd" as stranger bracketctl status
check "journalctl -x has the daemon's texts" prints "Statecharts decide|No action is needed" journalctl --no-pager -x -u bracketd
check "the package has no simulated camera" not test -e /usr/bin/camerasim
check "apt installs the simulated camera from its package" \
  timed "install camerasim" apt-get install -y ./package/bracketd-camerasim_*.deb
for page in bracketctl.1 camerasim.1 bracketd.toml.5 bracketd.8; do
  check "the manual page $page is installed" prints '^\.Dt [A-Z]' zcat "/usr/share/man/man${page##*.}/$page.gz"
done
check "bash completes bracketctl" prints bracketctl bash -c '. /usr/share/bash-completion/completions/bracketctl && complete -p bracketctl'

# This line of docs/deploy.md configures the camera.
sed -i 's/^#address = .*/address = "127.0.0.1:15740"/' /etc/bracketd/bracketd.toml
check "the configuration is valid" bracketd --config /etc/bracketd/bracketd.toml --check
systemctl restart bracketd
# The body saves for as long as the daemon tolerates. An emulated machine unpacks slowly, and the shoot must last longer
# than that.
camerasim sony --picture-size small --save-time 15s --card $rig/card.json --log >>$rig/camera.log 2>&1 &
follow_journal
check "the daemon connects to the camera" wait_for 60 connected

planned='1" 2" 4" 8" 15"'
ctl shoot --yes --shadow 15s --highlight 1s --frames 5 >$rig/shoot.out 2>&1 &
check "a shoot begins" wait_for 60 entered shooting capturing
before=$(unit MainPID)
check "the new version is unpacked beside the running one" timed unpack dpkg --unpack new/bracketd_*.deb
check "the running version continues the shoot" test "$(unit MainPID) $(unit ActiveState)" = "$before active"
check "the shoot has not ended" not grep -q "captured$" $rig/shoot.out
captured() { ctl status | sed -n 's/^shoot .* \([0-9]*\) of 5 captured.*$/\1/p'; }
from_now_on
check "a frame is being exposed" wait_for 60 entered shooting capturing
note "$(captured) of 5 frames captured when the new daemon takes over"
check "the new version is configured" timed configure dpkg --configure bracketd
check "the service is active" test "$(unit ActiveState)" = active
check "the process is another one" test "$(unit MainPID)" != "$before"
check "the installed version is the new one" prints '\+upgrade' dpkg-query -W bracketd
check "the changed configuration is kept" grep -q '^address = "127.0.0.1:15740"' /etc/bracketd/bracketd.toml
check "the daemon connects to the camera again" wait_for 60 connected
note "$(ctl status | head -n 1)"
check "the status has the shoot with missing frames" prints "^(Interrupted|Paused)" ctl status
check "the shoot is resumed" wait_for 60 ctl resume
is_complete() { ctl history --limit 1 --json | jq -e '.outcome == "completed"'; }
check "the shoot is completed" wait_for 240 is_complete
fired() { jq -r .speed $rig/card.json | sort -V | uniq | paste -sd ' '; }
check "every frame is on the card" prints "^$planned\$" fired
# The frame in progress may be fired twice, because its outcome is unknown after the restart.
doubled=$(($(wc -l <$rig/card.json) - 5))
check "at most one frame is on the card twice" test "$doubled" -le 1
note "frames fired once more than planned: $doubled"
ctl history show 1 >$rig/history.out 2>&1 || true
check "systemd did not restart the daemon" test "$(unit NRestarts)" = 0

check "apt removes the package" timed remove apt-get remove -y bracketd
check "no daemon runs" not pgrep -x bracketd
check "systemd has no units of the package" test "$(unit LoadState) $(unit LoadState bracketd.socket)" = "not-found not-found"
check "the socket is removed" not test -e /run/bracketd
check "the configuration stays" test -e /etc/bracketd/bracketd.toml
check "the ledger stays" test -e /var/lib/bracketd/ledger.sqlite
check "the catalog is removed" not prints bracketd journalctl --no-pager --list-catalog

# Runs a command without systemd, as in the build of an image.
without_systemd() { unshare --mount sh -c 'mount -t tmpfs none /run/systemd && "$@"' - "$@"; }
check "the package installs without systemd" timed "install without systemd" without_systemd dpkg --install new/bracketd_*.deb
check "the daemon is not started without systemd" not pgrep -x bracketd
check "the daemon is enabled for the next start" test -e /etc/systemd/system/multi-user.target.wants/bracketd.service
check "the earlier configuration is used" grep -q '^address = "127.0.0.1:15740"' /etc/bracketd/bracketd.toml
systemctl daemon-reload
systemctl start bracketd
check "the history has the old shoot" prints "completed" ctl history

picture=/var/lib/bracketd/pictures/20261122-101500-shoot-1/set-1/DSC00001.JPG
install -D -o bracketd -g bracketd -m 0640 /dev/null $picture
check "dpkg purges the package" timed purge dpkg --purge bracketd
check "the configuration is removed" not test -e /etc/bracketd
check "only the pictures stay" test "$(find /var/lib/bracketd -type f)" = $picture
check "the purge reports the files that stay" grep "what else is in /var/lib/bracketd stays" $rig/dpkg.log
check "the pictures' owner stays" test "$(stat -c %U $picture)" = bracketd
check "no unit of the package is enabled" not prints bracketd find /etc/systemd/system /var/lib/systemd/deb-systemd-helper-enabled
