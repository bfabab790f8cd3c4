#!/usr/bin/env bash
# Installs those packages of deploy/packages.txt that are missing.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: install-packages.sh [--print] GROUP...

Installs the Debian packages of the named groups of deploy/packages.txt that are not installed yet,
with apt-get, through sudo when not root. Does not call apt-get when nothing is missing, and never
removes a package.

  build     what compiles dslap
  package   what makes Debian packages of it
  database  what the sandbox database runs
  test      what the tests need besides
  hosts     what boots hosts for tests/run.sh --hosts
  mysql9    what makes the tree with MySQL 9 that tests/run.sh --mysql9 wants

  --print   print the missing packages and install nothing
  --help    this text
USAGE
}

fail() { printf 'install-packages: %s\n' "$*" >&2; exit 1; }

list=$(dirname -- "${BASH_SOURCE[0]}")/packages.txt
print=0
groups=()
for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --print) print=1 ;;
    -*) usage >&2; exit 2 ;;
    *)
      grep -qxF "[$argument]" "$list" || fail "there is no group '$argument' in $list"
      groups+=("$argument")
      ;;
  esac
done
((${#groups[@]} > 0)) || { usage >&2; exit 2; }

packages_of() {
  awk -v group="[$1]" '/^\[/ { on = ($0 == group); next } on && NF && !/^#/ { print $1 }' "$list"
}

installed() { [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]; }

missing=()
for group in "${groups[@]}"; do
  for package in $(packages_of "$group"); do
    installed "$package" || missing+=("$package")
  done
done
((${#missing[@]} > 0)) || exit 0
if ((print)); then
  printf '%s\n' "${missing[@]}"
  exit 0
fi

command -v apt-get >/dev/null || fail "no apt-get here; please install: ${missing[*]}"
as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null ||
    fail "not root and no sudo; please run as root: apt-get install ${missing[*]}"
  as_root=(sudo)
fi

printf 'install-packages: installing %s\n' "${missing[*]}"
"${as_root[@]}" apt-get update -q
# --no-remove: a MySQL server of the machine's own would have to go for ours; better to fail.
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-remove \
  --no-install-recommends -- "${missing[@]}" ||
  fail "apt-get could not install: ${missing[*]}"
