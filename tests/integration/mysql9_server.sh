#!/usr/bin/env bash
# Oracle's MySQL 9.x, server and client programs, in a Debian tree of its own: for the tests that
# prove dslap on MySQL. Debian 12 has MariaDB only.
set -uo pipefail

readonly MARKER=.dslap-mysql9
readonly PACKAGES=mysql-server-core,mysql-client-core,mysql-client
# Where the server's directory is mounted inside the tree, and what the tree's system needs mounted.
readonly INSIDE=/srv

usage() {
  cat <<'USAGE'
usage: mysql9_server.sh tree TREE
       mysql9_server.sh serve TREE DIR PORT [OPTION...]
       mysql9_server.sh exec TREE COMMAND [ARGUMENT...]

tree   makes the tree: Debian sid with Oracle's MySQL, by mmdebstrap from the network, about a
       minute and 500 MB. Does nothing when TREE has been made already. TREE may then be used by
       many at once: nothing below writes into it.
serve  runs a server in the foreground, its files in DIR (made, and filled with a new data
       directory, when empty), listening on 127.0.0.1:PORT and on DIR/mysqld.sock. Its log goes to
       standard error; "ready for connections" there means ready. OPTIONs are mysqld's. The account
       root has no password. Ends with SIGTERM, or with the process that started it if that asked
       for a signal at its death.
exec   runs a program of the tree, for instance Oracle's own mysqlslap, in the tree's file system,
       but with this system's /tmp, and with HOME and the working directory as they are, if that is
       in /tmp.

serve and exec need root: they chroot. Each has its own mount namespace, so that nothing stays
mounted.

Environment:
  DSLAP_SANDBOX_TEMPLATE  directory in which serve keeps a fresh data directory to copy from: later
                          starts save some seconds. Yours to delete.

Exit code: that of the program; 1 failed, 2 usage, 3 impossible here, with the reason on stderr.
USAGE
}

say() { printf 'mysql9_server: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
impossible() { say "$*"; exit 3; }
usage_error() { say "$*"; say "try: mysql9_server.sh --help"; exit 2; }

need_root() { ((EUID == 0)) || impossible "$1 needs root, for chroot and mounts"; }
need_tree() {
  [[ -f $1/$MARKER ]] || impossible "$1 holds no MySQL: make it with 'mysql9_server.sh tree $1'"
}

# ---------------------------------------------------------------------------------------- tree

tree() {
  local tree=$1 fresh
  [[ -f $tree/$MARKER ]] && return
  need_root "making a tree"
  command -v mmdebstrap >/dev/null || impossible "mmdebstrap is missing: apt-get install mmdebstrap"
  [[ ! -e $tree ]] || [[ -z $(ls -A -- "$tree") ]] ||
    die "tree: $tree is not empty and not a tree of this script: choose another"
  mkdir -p -- "$(dirname -- "$tree")" || die "tree: cannot make the directory of $tree"
  fresh=$(mktemp -d "$tree.XXXXXX") || die "tree: cannot write beside $tree"
  # Dates are not checked: sid's indexes are signed for days, and clocks of test machines are off.
  if ! mmdebstrap --quiet --variant=minbase --skip=check/empty --dpkgopt=force-unsafe-io \
    --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::Check-Date "false"' \
    --include="$PACKAGES" sid "$fresh" >&2; then
    rm -rf -- "$fresh"
    impossible "no MySQL could be had: mmdebstrap failed (its reason is above)"
  fi
  chmod 755 "$fresh"
  touch "$fresh/$MARKER"
  rmdir -- "$tree" 2>/dev/null
  mv -T -- "$fresh" "$tree" 2>/dev/null || { rm -rf -- "$fresh"; need_tree "$tree"; }
}

# ------------------------------------------------------------------------------- serve and exec

# Runs in a mount namespace of its own: the tree with what a program needs mounted, and DIR. Without
# a DIR it is a program of the caller's, who sees its files in /tmp.
enter() {
  local tree=$1 dir=$2 node home=/ work=$PWD
  shift 2
  mount --bind "$tree" "$tree" && cd "$tree" || exit 1
  mount -t proc proc proc || exit 1
  mount -t tmpfs -o mode=755 tmpfs dev || exit 1
  for node in null zero full random urandom; do
    touch "dev/$node" && mount --bind "/dev/$node" "dev/$node" || exit 1
  done
  mount -t tmpfs -o mode=755 tmpfs run || exit 1
  if [[ -n $dir ]]; then
    mount -t tmpfs -o mode=1777 tmpfs tmp || exit 1
    mount --bind "$dir" ".$INSIDE" || exit 1
  else
    mount --bind /tmp tmp || exit 1
    home=${HOME:-/}
  fi
  [[ -z $dir && $work == /tmp/* ]] || work=/
  exec chroot . /usr/bin/env -i --chdir="$work" HOME="$home" LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
}

in_tree() { unshare -m --propagation private "$SELF" enter "$@"; }

# Makes DIR/data.
install_data() {
  in_tree "$1" "$2" mysqld --no-defaults --initialize-insecure --user=root \
    --datadir="$INSIDE/data" --log-error-verbosity=1 >&2 ||
    die "serve: no data directory could be made in $2"
}

# Makes DIR/data as a copy of the template, which is made first when it is not there. Two at once may
# both make it; the first to rename its own wins.
copy_data() {
  local tree=$1 dir=$2 version template fresh
  version=$(in_tree "$tree" "" mysqld --no-defaults --version | sed -nE 's/.*Ver ([^ ]+) .*/\1/p')
  template=$(realpath -m -- "$DSLAP_SANDBOX_TEMPLATE")/mysql-data-$version
  if [[ ! -d $template ]]; then
    mkdir -p -- "${template%/*}" || die "serve: cannot make ${template%/*}"
    fresh=$(mktemp -d "$template.XXXXXX") || die "serve: cannot write beside $template"
    install_data "$tree" "$fresh"
    mv -T -- "$fresh/data" "$template" 2>/dev/null
    rm -rf -- "$fresh"
  fi
  cp -a -- "$template" "$dir/data" || die "serve: cannot copy $template to $dir"
}

serve() {
  local tree=$1 dir=$2 port=$3 fill=install_data
  shift 3
  mkdir -p -- "$dir" || die "serve: cannot make $dir"
  [[ -z ${DSLAP_SANDBOX_TEMPLATE:-} ]] || fill=copy_data
  [[ -d $dir/data ]] || "$fill" "$tree" "$dir"
  # Every step execs the next: the server is this process.
  exec unshare -m --propagation private "$SELF" enter "$tree" "$dir" mysqld --no-defaults \
    --user=root --datadir="$INSIDE/data" --socket="$INSIDE/mysqld.sock" \
    --pid-file="$INSIDE/mysqld.pid" --bind-address=127.0.0.1 --port="$port" --mysqlx=OFF \
    --secure-file-priv=NULL --skip-name-resolve --skip-log-bin --max-connections=2000 \
    --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=OFF --performance-schema=OFF "$@"
}

# ---------------------------------------------------------------------------------------- main

SELF=$(realpath -- "${BASH_SOURCE[0]}")
case ${1:-} in
  -h | --help | help) usage ;;
  tree)
    (($# == 2)) || usage_error "tree: one directory, TREE, is wanted"
    tree "$(realpath -m -- "$2")"
    ;;
  serve)
    (($# >= 4)) || usage_error "serve: TREE, DIR and PORT are wanted"
    need_root serve
    need_tree "$2"
    dir=$(realpath -m -- "$3")
    serve "$(realpath -- "$2")" "$dir" "${@:4}"
    ;;
  exec)
    (($# >= 3)) || usage_error "exec: TREE and COMMAND are wanted"
    need_root exec
    need_tree "$2"
    in_tree "$(realpath -- "$2")" "" "${@:3}"
    ;;
  enter) shift; enter "$@" ;;
  '') usage >&2; exit 2 ;;
  *) usage_error "unknown command '$1'" ;;
esac
