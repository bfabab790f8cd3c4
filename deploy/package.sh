#!/usr/bin/env bash
# Builds the Debian packages dslap and dslap-agent, and has lintian look at them.
set -euo pipefail

usage() {
  cat <<'USAGE'
usage: package.sh [OPTIONS] [OUTDIR]

Builds the Debian packages dslap (the controller) and dslap-agent (the agent as a service) from this
tree into OUTDIR (default: build/packages), and has lintian check them. What is needed for that is
installed first, with apt-get.

Options:
  --version=V    version of the packages and of what the programs in them tell. Default: that of
                 CMakeLists.txt when the commit at hand is tagged with it (v0.1.0); otherwise
                 0.1.0~gitTIME.COMMIT, which sorts by time and before 0.1.0 itself, with .changed
                 behind it when files differ from the commit
  --print-version  print that version and end
  --build=DIR    where to build (default: build/package)
  --jobs=N       processes at once (default: the number of cores)
  --no-install   do not look for missing packages
  --no-lintian   do not run lintian
  --help         this text

The same sources, tools and directory give the same packages, byte for byte: times in them are that
of the commit, or SOURCE_DATE_EPOCH (seconds since 1970) where it is set.
USAGE
}

fail() { printf 'package.sh: %s\n' "$1" >&2; exit "${2:-1}"; }

version=
build=build/package
out=build/packages
jobs=$(nproc)
install=1
lintian=1
print_version=0
operands=()
for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --version=*)
      version=${argument#*=}
      # A hyphen would end the version and begin the revision.
      [[ $version =~ ^[0-9][A-Za-z0-9.+~]*$ ]] ||
        fail "--version: begin with a digit and use letters, digits, '.', '+' and '~' only, not '$version'" 2
      ;;
    --build=?*) build=$(realpath -m -- "${argument#*=}") ;;
    --jobs=*)
      jobs=${argument#*=}
      [[ $jobs =~ ^[1-9][0-9]*$ ]] || fail "--jobs: give a number from 1, not '$jobs'" 2
      ;;
    --print-version) print_version=1 ;;
    --no-install) install=0 ;;
    --no-lintian) lintian=0 ;;
    -*) fail "unknown option '$argument': see --help" 2 ;;
    *) operands+=("$(realpath -m -- "$argument")") ;;
  esac
done
((${#operands[@]} <= 1)) || fail "one OUTDIR only: see --help" 2
out=${operands[0]:-$out}

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.."
umask 022
project_version() { sed -nE 's/^project\(dslap VERSION ([0-9.]+).*/\1/p' CMakeLists.txt; }
in_git() { [[ $(git rev-parse --show-toplevel 2>/dev/null) == "$PWD" ]]; }

# ~git sorts before the version that the tree is on its way to.
default_version() {
  local base changed=
  base=$(project_version)
  in_git || { echo "$base"; return; }
  git diff --quiet HEAD || changed=.changed
  if [[ -z $changed ]] && git describe --tags --exact-match --match "v$base" >/dev/null 2>&1; then
    echo "$base"
  else
    TZ=UTC git log -1 --date=format-local:%Y%m%d%H%M%S --format="$base~git%cd.%h$changed"
  fi
}

version=${version:-$(default_version)}
((print_version == 0)) || { echo "$version"; exit 0; }
((install == 0)) || ./deploy/install-packages.sh build package
if [[ -z ${SOURCE_DATE_EPOCH:-} ]]; then
  if in_git; then SOURCE_DATE_EPOCH=$(git log -1 --format=%ct); else
    SOURCE_DATE_EPOCH=$(stat -c %Y CHANGELOG.md)
  fi
fi
export SOURCE_DATE_EPOCH

# Debian's hardening. Without -g: the programs in the packages are stripped.
export DEB_BUILD_MAINT_OPTIONS=hardening=+all DEB_CFLAGS_MAINT_STRIP=-g DEB_CXXFLAGS_MAINT_STRIP=-g
flag() { dpkg-buildflags --get "$1"; }
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr \
  -DCMAKE_INSTALL_SYSCONFDIR=/etc -DDSLAP_BUILD_TESTS=OFF -DDSLAP_VERSION="$version" \
  -DCMAKE_C_FLAGS="$(flag CFLAGS) $(flag CPPFLAGS)" \
  -DCMAKE_CXX_FLAGS="$(flag CXXFLAGS) $(flag CPPFLAGS)" -DCMAKE_CXX_FLAGS_RELEASE=-DNDEBUG \
  -DCMAKE_EXE_LINKER_FLAGS="$(flag LDFLAGS)"
ninja -C "$build" -j "$jobs"

packages=("dslap_$version-1_" "dslap-agent_$version-1_")
mkdir -p -- "$out"
cpack --config "$build/CPackConfig.cmake" -B "$build/cpack"
architecture=$(dpkg --print-architecture)
made=()
for package in "${packages[@]}"; do
  mv -f -- "$build/cpack/$package$architecture.deb" "$out/"
  made+=("$out/$package$architecture.deb")
done
if ((lintian)); then
  lintian --allow-root --fail-on=error,warning --tag-display-limit=0 --info "${made[@]}" ||
    fail "lintian is not content with the packages"
fi
printf 'package.sh: %s\n' "${made[@]}"
