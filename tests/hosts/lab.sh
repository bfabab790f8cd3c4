# Throw-away hosts booted by systemd, for tests of what is installed: each with its own root (an
# overlay of this machine's), network namespace with an address on a common bridge, and control
# group. To be sourced by bash as root; lab_why_not says what is missing.
#
#   lab_open; trap lab_close EXIT
#   lab_boot a 10.77.0.11; lab_await a
#   lab_in a systemctl is-active ssh
#   lab_desk dslap agents --agents=10.77.0.11      # from where all hosts are reached
#
# All of it lies in one tmpfs and in names that begin with $LAB_NAME; lab_close removes it.
# shellcheck shell=bash

LAB_NAME=dslap$$
LAB_DIR=
LAB_HOSTS=()

# What a stock Debian starts and no test needs.
readonly LAB_MASKED="mariadb.service mysql.service postgresql.service getty@.service
  console-getty.service systemd-timesyncd.service e2scrub_reap.service apt-daily.timer
  apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer fstrim.timer man-db.timer
  systemd-networkd-wait-online.service"

lab_why_not() {
  ((EUID == 0)) || { echo "needs root"; return; }
  local tool
  for tool in systemd-nspawn ip nsenter; do
    command -v "$tool" >/dev/null || { echo "needs $tool (packages systemd-container, iproute2)"; return; }
  done
  [[ -n $(lab_hierarchies) ]] || { echo "needs cgroup v2, alone or beside v1"; return; }
  local probe
  probe=$(mktemp -d /dev/shm/dslap-lab.XXXXXX) || { echo "needs /dev/shm"; return; }
  mkdir "$probe/up" "$probe/work" "$probe/root"
  if mount -t overlay overlay -o "lowerdir=/,upperdir=$probe/up,workdir=$probe/work" "$probe/root" \
    2>/dev/null; then
    umount "$probe/root"
  else
    echo "needs overlays of /: a container without the right to mount?"
  fi
  rm -rf "$probe"
}

# The control group hierarchies that a host needs a group of its own in.
lab_hierarchies() {
  if [[ -e /sys/fs/cgroup/cgroup.controllers ]]; then
    echo /sys/fs/cgroup
  else
    local each
    for each in /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
      [[ ! -e $each/cgroup.procs ]] || echo "$each"
    done
  fi
}

# The one that kills and counts.
lab_cgroup() { echo "$(lab_hierarchies | head -n 1)/$LAB_NAME-$1"; }

lab_open() {
  LAB_DIR=$(mktemp -d /dev/shm/dslap-lab.XXXXXX)
  mount -t tmpfs -o size=4g,mode=0700 "$LAB_NAME" "$LAB_DIR"
  ip netns add "$LAB_NAME"
  ip -n "$LAB_NAME" link set lo up
  ip -n "$LAB_NAME" link add br0 type bridge
  ip -n "$LAB_NAME" addr add 10.77.0.1/24 dev br0
  ip -n "$LAB_NAME" link set br0 up
}

# lab_boot HOST ADDRESS: does not wait.
lab_boot() {
  local host=$1 net=$LAB_NAME-$1 root=$LAB_DIR/$1/root unit group
  LAB_HOSTS+=("$host")
  ip netns add "$net"
  ip -n "$net" link set lo up
  ip link add host0 netns "$net" type veth peer name "v-$host" netns "$LAB_NAME"
  ip -n "$LAB_NAME" link set "v-$host" master br0 up
  ip -n "$net" addr add "$2/24" dev host0
  ip -n "$net" link set host0 up
  ip -n "$net" route add default via 10.77.0.1
  mkdir -p "$LAB_DIR/$host/up" "$LAB_DIR/$host/work" "$root"
  mount -t overlay overlay \
    -o "lowerdir=/,upperdir=$LAB_DIR/$host/up,workdir=$LAB_DIR/$host/work" "$root"
  echo "$host" >"$root/etc/hostname"
  # Machines without systemd, as containers are, forbid the start of services.
  rm -f "$root/usr/sbin/policy-rc.d"
  for unit in $LAB_MASKED; do ln -sf /dev/null "$root/etc/systemd/system/$unit"; done
  local groups=()
  for group in $(lab_hierarchies); do
    mkdir -p "$group/$LAB_NAME-$host"
    groups+=("$group/$LAB_NAME-$host/cgroup.procs")
  done
  # shellcheck disable=SC2016  # the inner shell's
  setsid bash -c 'for each in "${@:5}"; do echo $$ >"$each"; done
    exec systemd-nspawn -q -D "$1" -M "$2" --register=no --keep-unit \
      --network-namespace-path="/run/netns/$3" --boot --console=pipe --link-journal=no \
      --resolv-conf=off --timezone=off --private-users=no >"$4" 2>&1' \
    lab "$root" "$LAB_NAME-$host" "$net" "$LAB_DIR/$host/console.log" "${groups[@]}" </dev/null &
  disown
}

# All processes of the host, one a line.
lab_processes() {
  local group
  lab_hierarchies | while read -r group; do
    find "$group/$LAB_NAME-$1" -name cgroup.procs -exec cat {} + 2>/dev/null
  done
}

# The process that is number 1 in the host.
lab_leader() {
  local pid
  while read -r pid; do
    if [[ $(awk '/^NSpid/ { print $NF }' "/proc/$pid/status" 2>/dev/null) == 1 ]]; then
      echo "$pid"
      return
    fi
  done < <(lab_processes "$1")
  return 1
}

# lab_in HOST COMMAND...
lab_in() {
  local pid
  pid=$(lab_leader "$1") || { echo "host $1 is down" >&2; return 125; }
  shift
  nsenter -t "$pid" -m -u -i -n -p -C -r -w env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
    TERM=dumb HOME=/root SYSTEMD_PAGER= LC_ALL=C.UTF-8 "$@"
}

lab_desk() { ip netns exec "$LAB_NAME" "$@"; }

# Waits until the host has booted, 60 s at most.
lab_await() {
  local bound=$((SECONDS + 60))
  while ((SECONDS < bound)); do
    case $(lab_in "$1" systemctl is-system-running 2>/dev/null) in
      running | degraded) return 0 ;;
    esac
    sleep 0.1
  done
  echo "host $1 does not boot; the end of its console:" >&2
  tail -n 20 "$LAB_DIR/$1/console.log" >&2
  return 1
}

lab_close() {
  local host group
  [[ -n $LAB_DIR ]] || return 0
  for host in "${LAB_HOSTS[@]}"; do
    for group in $(lab_hierarchies); do
      group=$group/$LAB_NAME-$host
      # v1 has no such file.
      [[ ! -e $group/cgroup.kill ]] || echo 1 >"$group/cgroup.kill"
    done
  done
  local bound=$((SECONDS + 10))
  for host in "${LAB_HOSTS[@]}"; do
    until ! grep -q "populated 1" "$(lab_cgroup "$host")/cgroup.events" 2>/dev/null ||
      ((SECONDS >= bound)); do
      sleep 0.05
    done
    umount "$LAB_DIR/$host/root" 2>/dev/null || umount -l "$LAB_DIR/$host/root" 2>/dev/null
    ip netns del "$LAB_NAME-$host" 2>/dev/null
    for group in $(lab_hierarchies); do
      find "$group/$LAB_NAME-$host" -depth -type d -exec rmdir {} \; 2>/dev/null
    done
  done
  ip netns del "$LAB_NAME" 2>/dev/null
  umount "$LAB_DIR" 2>/dev/null || umount -l "$LAB_DIR"
  rmdir "$LAB_DIR"
  LAB_DIR=
}
