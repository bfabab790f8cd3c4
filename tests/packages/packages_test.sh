#!/usr/bin/env bash
# The Debian packages in a clean Debian: installed, used, upgraded, removed, purged.
set -uo pipefail

usage() {
  cat <<'USAGE'
usage: packages_test.sh [DIR]

Builds the packages twice, as two versions, with deploy/package.sh (lintian included), and takes
them through their life in a tree of Debian that has nothing else installed, with apt and dpkg. There
is no systemd in that tree: what the packages ask of it is recorded and compared. Prints a line for
each thing that was found right, and ends with 1 at the first that is not.

DIR (default: build/packages-test) keeps the tree for the next time. Needs root,
mmdebstrap and the network.
USAGE
}

die() { printf 'packages_test: %s\n' "$*" >&2; exit 1; }
ok() { printf 'ok: %s\n' "$*"; }

# same WHAT EXPECTED ACTUAL
same() {
  [[ $2 == "$3" ]] || die "$1: expected"$'\n'"$2"$'\n'"got"$'\n'"$3"
  ok "$1"
}

# ------------------------------------------------------------------------------ inside the tree

readonly DEBS=/debs CALLS=/tmp/calls

# Stand-ins that the packages' scripts find before the real ones (apt, too, has its own PATH for
# them), and that write down how they were called.
record_systemd() {
  local program
  mkdir -p /run/systemd/system
  for program in systemctl deb-systemd-invoke; do
    printf '#!/bin/sh\necho "%s $*" >>%s\n' "$program" "$CALLS" >"/usr/local/bin/$program"
    chmod +x "/usr/local/bin/$program"
  done
}

# apt ARGUMENT...: its output only when it fails.
apt() {
  : >"$CALLS"
  apt-get -qq -y --no-install-recommends -o DPkg::Path="$PATH" \
    -o Dpkg::Options::=--force-confold "$@" >/tmp/apt.log 2>&1 ||
    die "apt-get $*: $(cat /tmp/apt.log)"
}

# But for what apt, dpkg and man keep for themselves.
all_files() {
  find / -xdev \( -path /tmp -o -path "$DEBS" -o -path /var/lib/dpkg -o -path /var/lib/apt \
    -o -path /var/cache -o -path /var/log \) -prune -o -print | sort
}

# Enabling a unit reloads, too: one of several in a row is enough to see.
calls() { sed 's/^systemctl --system /systemctl /' "$CALLS" | uniq; }
version_of() { dpkg-query -W -f='${Version}' "$1"; }
link() { echo "/etc/systemd/system/$1"; }

try_programs() {
  local version=$1 log=/tmp/agent.log agent address
  [[ $(dslap --version) == "dslap  Ver $version, "* ]] || die "dslap --version: $(dslap --version)"
  [[ $(dslap-agent --version) == "dslap-agent $version"* ]] ||
    die "dslap-agent --version: $(dslap-agent --version)"
  ok "both programs tell version $version"
  dslap-agent --config=/etc/dslap/agent.conf --check-config >/tmp/check.log 2>&1 ||
    die "--check-config: $(cat /tmp/check.log)"
  ok "the configuration file is one"
  dslap-agent --config=/etc/dslap/agent.conf --listen=127.0.0.1:0 2>"$log" &
  agent=$!
  # The first line that tells the address; it ends without one when the agent does.
  address=$(timeout 30 tail -f -n +1 --pid="$agent" "$log" | sed -nE 's/.*listening on ([0-9.:]+).*/\1/p;T;q')
  [[ -n $address ]] || die "dslap-agent: $(cat "$log")"
  dslap agents --agents="$address" >/tmp/agents.log 2>&1 || die "dslap agents: $(cat /tmp/agents.log)"
  grep -q "^ *$address .* idle" /tmp/agents.log || die "dslap agents: $(cat /tmp/agents.log)"
  kill "$agent"
  wait "$agent" || die "dslap-agent ended with $?"
  ok "dslap finds the installed agent idle"
}

try_manual() {
  local page
  for page in dslap dslap-agent dslap-agent.conf dslap-make-certs; do
    man -P cat "$page" >/tmp/page 2>/tmp/man.log || die "man $page: $(cat /tmp/man.log)"
    grep -q '^NAME' /tmp/page || die "man $page: $(cat /tmp/page)"
    [[ ! -s /tmp/man.log ]] || die "man $page: $(cat /tmp/man.log)"
  done
  [[ $(whatis dslap-agent) == 'dslap-agent (8) '* ]] || die "whatis: $(whatis dslap-agent)"
  ok "man and whatis have the pages"
  bash -c '. /usr/share/bash-completion/completions/dslap && complete -p dslap' >/dev/null ||
    die "no completion for dslap"
  ok "bash takes the completion"
}

inside() {
  local old=$1 new=$2 wants
  wants=$(link multi-user.target.wants/dslap-agent.service)
  record_systemd
  apt update
  all_files >/tmp/before

  apt install "$DEBS/old"/*.deb
  same "installing starts the agent" \
    $'systemctl daemon-reload\ndeb-systemd-invoke start dslap-agent.service' "$(calls)"
  same "the service is enabled" /lib/systemd/system/dslap-agent.service \
    "$(readlink "$wants" | sed 's,^/usr,,')"
  [[ ! -e $(link sockets.target.wants/dslap-agent.socket) ]] || die "the socket is enabled, unasked"
  ok "the socket is not"
  same "the configuration file is known as one" ' /etc/dslap/agent.conf' \
    "$(dpkg-query -W -f='${Conffiles}' dslap-agent | sed -E '/^$/d; s/ [0-9a-f]+$//')"
  try_programs "$old"
  try_manual

  # The owner's settings stay, though the new package has others; and so does what is switched off.
  echo 'listen = 127.0.0.1:7000' >>/etc/dslap/agent.conf
  cp /etc/dslap/agent.conf /tmp/agent.conf
  rm "$wants"
  apt install "$DEBS/new"/*.deb
  same "upgraded" "$new-1 $new-1" "$(version_of dslap) $(version_of dslap-agent)"
  same "an upgrade restarts the agent" \
    $'systemctl daemon-reload\ndeb-systemd-invoke restart dslap-agent.service' "$(calls)"
  cmp /etc/dslap/agent.conf /tmp/agent.conf || die "the owner's settings were changed"
  [[ -e /etc/dslap/agent.conf.dpkg-dist ]] || die "the new settings were not put beside the owner's"
  ok "the owner's settings are kept, the new ones lie beside them"
  [[ ! -e $wants ]] || die "a disabled service was enabled again"
  ok "a disabled service stays disabled"
  try_programs "$new"

  apt remove dslap dslap-agent
  same "removing stops the agent" $'deb-systemd-invoke stop dslap-agent.socket dslap-agent.service
systemctl daemon-reload' "$(calls)"
  [[ ! -e /usr/bin/dslap && ! -e /usr/bin/dslap-agent ]] || die "a program is left"
  cmp /etc/dslap/agent.conf /tmp/agent.conf || die "removing took the owner's settings"
  ok "removing leaves the settings"
  apt install "$DEBS/new"/*.deb
  same "installed again, with the settings" "$(cat /tmp/agent.conf)" "$(cat /etc/dslap/agent.conf)"

  # Certificates are no part of the package: whoever put them there takes them away.
  install -D -m 600 /dev/null /etc/dslap/tls/agent.key
  apt purge dslap dslap-agent
  same "a purge leaves the owner's keys alone" /etc/dslap/tls/agent.key "$(find /etc/dslap -type f)"
  rm -r /etc/dslap
  apt autoremove --purge
  all_files >/tmp/after
  same "after a purge nothing is left" '' "$(diff /tmp/before /tmp/after)"
}

# ----------------------------------------------------------------------------- outside the tree

# enter TREE COMMAND...: in mount and process namespaces of its own, so that nothing stays.
enter() {
  local tree=$1 node
  shift
  mount --bind "$tree" "$tree" && mount -t proc proc "$tree/proc" || exit 1
  mount -t tmpfs -o mode=755 tmpfs "$tree/dev" && mount -t tmpfs -o mode=755 tmpfs "$tree/run" || exit 1
  mount -t tmpfs -o mode=1777 tmpfs "$tree/tmp" || exit 1
  for node in null zero full random urandom tty; do
    touch "$tree/dev/$node" && mount --bind "/dev/$node" "$tree/dev/$node" || exit 1
  done
  ln -s /proc/self/fd "$tree/dev/fd"
  mkdir -m 1777 "$tree/dev/shm"
  cp -L /etc/resolv.conf "$tree/etc/resolv.conf"
  grep -w localhost /etc/hosts >"$tree/etc/hosts"
  exec chroot "$tree" env -i HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive TERM=dumb \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

# Dates are not checked: clocks of test machines are off.
make_tree() {
  local base=$1/debian.tar
  if [[ ! -f $base ]]; then
    mmdebstrap --quiet --variant=minbase --skip=check/empty --dpkgopt=force-unsafe-io \
      --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' \
      --include=man-db bookworm "$base.new.tar" || die "mmdebstrap failed"
    mv "$base.new.tar" "$base"
  fi
  rm -rf "$1/tree"
  mkdir "$1/tree"
  tar -C "$1/tree" -xf "$base" || die "$base: cannot be unpacked"
}

build() {
  ./deploy/package.sh --version="$1" "${@:3}" "$2" >"$work/build-$1.log" 2>&1 ||
    die "building version $1: $(tail -n 40 "$work/build-$1.log")"
}

# The packages of DIR with other settings in them than those before.
change_settings() {
  local package tree=$work/repacked
  for package in "$1"/dslap-agent_*.deb; do
    rm -rf "$tree"
    dpkg-deb -R "$package" "$tree" || die "$package: cannot be unpacked"
    echo '# A setting that is new.' >>"$tree/etc/dslap/agent.conf"
    dpkg-deb --root-owner-group -b "$tree" "$package" >/dev/null || die "$package: cannot be packed"
  done
}

# check_hardening DIR: of the programs in its packages.
check_hardening() {
  local package program
  rm -rf "$work/unpacked"
  for package in "$1"/*.deb; do dpkg-deb -x "$package" "$work/unpacked" || die "$package"; done
  for program in dslap dslap-agent; do
    readelf -hldW --dyn-syms "$work/unpacked/usr/bin/$program" >"$work/readelf.txt"
    grep -q 'Type:.*DYN' "$work/readelf.txt" || die "$program is not position-independent"
    grep -q 'GNU_RELRO' "$work/readelf.txt" || die "$program: no RELRO"
    grep -q 'FLAGS.*NOW' "$work/readelf.txt" || die "$program binds its symbols lazily"
    grep -q '__stack_chk_fail' "$work/readelf.txt" || die "$program: no stack protector"
  done
  ok "hardened: position-independent, RELRO, bound at once, stack protector"
}

main() {
  local old new
  ((EUID == 0)) || die "needs root, for chroot and mounts"
  command -v mmdebstrap >/dev/null || die "mmdebstrap is missing: apt-get install mmdebstrap"
  mkdir -p "$work"
  old=$(sed -nE 's/^project\(dslap VERSION ([0-9.]+).*/\1/p' CMakeLists.txt)~test1
  new=${old%1}2
  rm -rf "$work/old" "$work/again" "$work/new"
  build "$old" "$work/old"
  ok "built, and lintian is content"
  check_hardening "$work/old"
  build "$old" "$work/again" --no-lintian
  (cd "$work/old" && for package in *.deb; do cmp "$package" "../again/$package" || exit 1; done) ||
    die "the same sources gave other packages"
  ok "built again: the same, byte for byte"
  build "$new" "$work/new" --no-lintian
  change_settings "$work/new"
  make_tree "$work"
  mkdir "$work/tree$DEBS"
  cp -r "$work/old" "$work/new" tests/packages/packages_test.sh "$work/tree$DEBS/"
  unshare --mount --pid --fork --kill-child --propagation private \
    "$PWD/tests/packages/packages_test.sh" enter "$work/tree" \
    bash "$DEBS/packages_test.sh" inside "$old" "$new" || exit 1
  rm -rf "$work/tree"
}

case ${1:-} in
  --help) usage ;;
  enter | inside) "$@" ;;
  *)
    work=$(realpath -m -- "${1:-$(dirname -- "${BASH_SOURCE[0]}")/../../build/packages-test}")
    cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1
    main
    ;;
esac
