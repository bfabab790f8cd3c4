#!/usr/bin/env bash
# A private, throw-away MariaDB server: own data directory, socket, loopback port and password.
# For the quickstart, the tests and the benchmarks; never for data that anybody wants to keep, as
# all that makes writes durable is switched off.
set -uo pipefail

readonly MARKER=.dslap-sandbox
readonly PORT_ATTEMPTS=10

usage() {
  cat <<'USAGE'
usage: sandbox-db.sh start [OPTIONS] DIR
       sandbox-db.sh stop DIR
       sandbox-db.sh run [OPTIONS] DIR -- COMMAND [ARGUMENT...]

start  makes DIR (it must not exist, or be empty), starts a private MariaDB server in it, and when
       the server answers prints how to reach it, one KEY=VALUE a line: HOST, PORT, SOCKET, USER,
       PASSWORD, PID. The same lines are in DIR/env. USER has all rights; root has no password,
       but is let in over the socket only.
stop   ends that server and removes what start made. Does nothing when there is nothing to stop.
run    start, then COMMAND with DSLAP_DB_HOST, DSLAP_DB_PORT, DSLAP_DB_SOCKET, DSLAP_DB_USER,
       DSLAP_DB_PASSWORD and DSLAP_DB_PID in its environment, then stop, whatever happened. Exits
       as COMMAND did.

Options:
  --max-connections=N  connections the server takes at once (default 4000)
  --bind-address=ADDR  where the server listens (default 127.0.0.1)
  --option=OPTION      one more option for mariadbd, e.g. --option=--general-log=1; repeatable
  --while-pid=PID      stop by itself when the process PID is gone, so that a killed owner leaves
                       no server behind
  --help               this text

Environment:
  DSLAP_SANDBOX_PASSWORD  the password of USER (default: a random one)
  DSLAP_SANDBOX_TIMEOUT   seconds to wait for the server to be ready (default 60)
  DSLAP_SANDBOX_TEMPLATE  directory that keeps a fresh data directory to copy from: later starts
                          save a second or two. Yours to delete.

Exit code: 0 done, 1 failed (the reason and the end of the server's log are on stderr), 2 usage.
USAGE
}

say() { printf 'sandbox-db: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }
usage_error() { say "$*"; say "try: sandbox-db.sh --help"; exit 2; }

# A path without a symbolic link in it, so that the processes we started are known by it again.
absolute() { realpath -m -- "$1"; }

is_number() { [[ $1 =~ ^[0-9]+$ ]]; }

# True while the process exists and has not ended; one that nobody has waited for yet has ended.
alive() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  [[ ${stat##*) } != Z* ]]
}

# True when process $1 is the server of the sandbox $2: process numbers are used again.
is_server_of() {
  alive "$1" && tr '\0' '\n' 2>/dev/null <"/proc/$1/cmdline" | grep -qxF -- "--datadir=$2/data"
}

# Waits until `command` succeeds, for at most $1 seconds.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@"; do
    ((SECONDS < deadline)) || return 1
    sleep 0.05
  done
}

show_log() {
  [[ -s $1 ]] || return 0
  say "the end of $1:"
  tail -n 25 -- "$1" | sed 's/^/  | /' >&2
}

# ---------------------------------------------------------------------------------------- stop

end_process() {
  local pid=$1
  kill -TERM "$pid" 2>/dev/null
  gone() { ! alive "$pid"; }
  wait_for 30 gone && return 0
  say "server $pid did not end within 30 seconds of SIGTERM: killing it"
  kill -KILL "$pid" 2>/dev/null
  wait_for 10 gone || die "server $pid does not end even when killed"
}

# The server's process number: known from its own file, or, when it is only just starting, from ours.
server_pid() {
  local dir=$1 file pid
  for file in "$dir/mariadbd.pid" "$dir/starting.pid"; do
    pid=$(cat -- "$file" 2>/dev/null) || continue
    is_number "$pid" && is_server_of "$pid" "$dir" && { echo "$pid"; return 0; }
  done
  return 1
}

# Only names that start makes are removed: what else lies in the directory is not ours.
remove_files() {
  local dir=$1 marker
  marker=$(cat -- "$dir/$MARKER")
  rm -rf -- "$dir/data" "$dir/tmp"
  rm -f -- "$dir"/{env,mariadbd.log,mariadbd.pid,mariadbd.sock,starting.pid,init.sql,install.log} \
    "$dir/$MARKER"
  [[ $marker == made* ]] || return 0
  rmdir -- "$dir" 2>/dev/null || say "$dir is left: it holds files that are not the sandbox's"
}

stop() {
  local dir=$1 pid
  if [[ ! -e $dir ]]; then
    say "no sandbox in $dir: nothing to stop"
    return 0
  fi
  [[ -d $dir ]] || die "stop: $dir is not a directory"
  if [[ ! -f $dir/$MARKER ]]; then
    [[ -z $(ls -A -- "$dir") ]] && { say "$dir is empty: nothing to stop"; return 0; }
    die "stop: $dir was not made by sandbox-db.sh (it has no $MARKER): nothing is touched"
  fi
  if pid=$(server_pid "$dir"); then end_process "$pid"; fi
  remove_files "$dir"
}

# --------------------------------------------------------------------------------------- start

find_program() {
  local name
  for name in "$@"; do
    PATH=$PATH:/usr/sbin:/usr/local/sbin command -v "$name" && return 0
  done
  die "$1 is not installed. On Debian: apt-get install mariadb-server-core mariadb-client-core"
}

# Fills $1 with a fresh data directory. The temporary directory is its own, as a server that starts
# deletes the temporary tables of all others that share it.
install_data() {
  local data=$1 log=$2 tmp=$3
  local user=()
  ((EUID == 0)) && user=(--user=root)
  "$INSTALL_DB" --no-defaults "${user[@]}" --datadir="$data" --tmpdir="$tmp" --skip-test-db \
    --skip-name-resolve --auth-root-authentication-method=normal --innodb-log-file-size=32M \
    >"$log" 2>&1
}

# Copies the data directory from the template, which is made first when it is not there. Two at
# once may both make it; the first to rename its own wins.
copy_data() {
  local data=$1 log=$2 tmp=$3 template fresh
  # shellcheck disable=SC2153  # set in the environment
  template=$(absolute "$DSLAP_SANDBOX_TEMPLATE")/data-$("$MARIADBD" --no-defaults --version |
    sed -nE 's/.*Ver ([^ ]+) .*/\1/p')-$EUID
  if [[ ! -d $template ]]; then
    mkdir -p -- "${template%/*}" || return 1
    fresh=$(mktemp -d "$template.XXXXXX") || return 1
    install_data "$fresh" "$log" "$tmp" || { rm -rf -- "$fresh"; return 1; }
    mv -T -- "$fresh" "$template" 2>/dev/null || rm -rf -- "$fresh"
  fi
  cp -a -- "$template" "$data"
}

write_init_sql() {
  # One statement a line, as --init-file wants it. Root over TCP has no password either: away with
  # it, the socket lies in a directory that only its owner may enter.
  cat >"$1" <<SQL
DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host <> 'localhost');
FLUSH PRIVILEGES;
CREATE USER IF NOT EXISTS '$DB_USER'@'localhost' IDENTIFIED BY '$DB_PASSWORD';
CREATE USER IF NOT EXISTS '$DB_USER'@'%' IDENTIFIED BY '$DB_PASSWORD';
GRANT ALL PRIVILEGES ON *.* TO '$DB_USER'@'localhost' WITH GRANT OPTION;
GRANT ALL PRIVILEGES ON *.* TO '$DB_USER'@'%' WITH GRANT OPTION;
SQL
}

# A port that nothing listens on now, below those the system gives to outgoing connections. Another
# process may still take it first: then the server cannot bind, and the next one is tried.
pick_port() {
  local port in_use
  in_use=$(awk '$4 == "0A" { n = split($2, a, ":"); print a[n] }' /proc/net/tcp /proc/net/tcp6 \
    2>/dev/null)
  while :; do
    port=$((15000 + SRANDOM % 17000))
    grep -qx "$(printf '%04X' "$port")" <<<"$in_use" || { echo "$port"; return; }
  done
}

# Starts the server detached from everything of the caller: session, files, working directory.
launch() {
  local dir=$1 port=$2
  local user=()
  ((EUID == 0)) && user=(--user=root)
  (
    for fd in "/proc/$BASHPID/fd"/*; do
      fd=${fd##*/}
      ((fd > 2)) && eval "exec $fd>&-"
    done
    cd /
    # As many files as may be had: the server lowers max_connections to what they allow.
    ulimit -Sn "$(ulimit -Hn)"
    exec setsid "$MARIADBD" --no-defaults "${user[@]}" \
      --datadir="$dir/data" --tmpdir="$dir/tmp" --socket="$dir/mariadbd.sock" \
      --pid-file="$dir/mariadbd.pid" --port="$port" --bind-address="$BIND_ADDRESS" \
      --init-file="$dir/init.sql" --skip-name-resolve --skip-log-bin --skip-slave-start \
      --max-connections="$MAX_CONNECTIONS" --back-log=4000 --thread-cache-size=256 \
      --performance-schema=0 --innodb-log-file-size=32M --innodb-flush-method=nosync \
      --innodb-flush-log-at-trx-commit=0 --innodb-doublewrite=0 "${EXTRA_OPTIONS[@]}"
  ) </dev/null >>"$dir/mariadbd.log" 2>&1 &
  SERVER_PID=$!
  echo "$SERVER_PID" >"$dir/starting.pid"
}

is_ready() { grep -q 'ready for connections' "$1/mariadbd.log" 2>/dev/null; }
is_decided() { is_ready "$1" || ! alive "$SERVER_PID"; }

# 0 ready, 1 failed, 2 the port was taken.
start_on_port() {
  local dir=$1 port=$2 timeout=$3
  : >"$dir/mariadbd.log"
  launch "$dir" "$port"
  if ! wait_for "$timeout" is_decided "$dir"; then
    say "start: the server was not ready within $timeout seconds (DSLAP_SANDBOX_TIMEOUT)"
    return 1
  fi
  is_ready "$dir" && alive "$SERVER_PID" && return 0
  grep -qE "Bind on TCP/IP port|port $port .*in use" "$dir/mariadbd.log" && return 2
  say "start: the server ended while it was starting"
  return 1
}

write_env() {
  local dir=$1 port=$2
  printf '%s\n' "HOST=$BIND_ADDRESS" "PORT=$port" "SOCKET=$dir/mariadbd.sock" "USER=$DB_USER" \
    "PASSWORD=$DB_PASSWORD" "PID=$SERVER_PID" >"$dir/env"
}

claim_directory() {
  local dir=$1 made=found
  # Longer ones do not fit into a socket's address.
  ((${#dir} <= 90)) || die "start: the path $dir is too long for a Unix socket in it (at most 90)"
  [[ $dir =~ ^[A-Za-z0-9_./+@:,=-]+$ ]] ||
    die "start: the path '$dir' has characters that DIR/env cannot hold unquoted: choose another"
  if [[ -d $dir ]]; then
    [[ ! -e $dir/$MARKER ]] || die "start: there is a sandbox in $dir already: stop it first"
    [[ -z $(ls -A -- "$dir") ]] || die "start: $dir is not empty: choose a new directory"
  else
    mkdir -p -- "$dir" || die "start: cannot make the directory $dir"
    made=made
  fi
  MARK="$made $SRANDOM"
  echo "$MARK" >"$dir/$MARKER" || die "start: cannot write into $dir"
}

# Undoes a start that did not come to its end.
abandon() {
  trap - EXIT
  show_log "$1/mariadbd.log"
  stop "$1"
  exit 1
}

start() {
  local dir=$1 timeout=${DSLAP_SANDBOX_TIMEOUT:-60} attempt port result
  is_number "$timeout" || usage_error "DSLAP_SANDBOX_TIMEOUT must be a number of seconds, not '$timeout'"
  umask 077
  MARIADBD=$(find_program mariadbd mysqld) || exit 1
  INSTALL_DB=$(find_program mariadb-install-db mysql_install_db) || exit 1
  claim_directory "$dir"
  # shellcheck disable=SC2064  # the directory as it is now
  trap "abandon '$dir'" EXIT
  [[ -z $WHILE_PID ]] || watch_owner "$dir"
  mkdir -- "$dir/tmp"

  local fill=install_data
  [[ -n ${DSLAP_SANDBOX_TEMPLATE:-} ]] && fill=copy_data
  if ! "$fill" "$dir/data" "$dir/install.log" "$dir/tmp"; then
    say "start: no data directory could be made in $dir"
    grep -siE 'error|denied|no space|cannot' "$dir/install.log" | head -n 15 | sed 's/^/  | /' >&2
    exit 1
  fi
  write_init_sql "$dir/init.sql"

  for ((attempt = 1; ; attempt++)); do
    port=$(pick_port)
    start_on_port "$dir" "$port" "$timeout"
    result=$?
    ((result == 0)) && break
    ((result == 2 && attempt < PORT_ATTEMPTS)) || exit 1
  done
  rm -f -- "$dir/init.sql" "$dir/starting.pid" "$dir/install.log"
  write_env "$dir" "$port"
  trap - EXIT
  # The server takes fewer connections than asked for when it may not open enough files.
  grep -F 'Changed limits' "$dir/mariadbd.log" | sed 's/^/sandbox-db: /' >&2
  disown "$SERVER_PID"
}

# Stops the sandbox when its owner is gone. Ends by itself soon after the sandbox was stopped.
watch_owner() {
  local dir=$1
  (
    for fd in "/proc/$BASHPID/fd"/*; do
      fd=${fd##*/}
      ((fd > 2)) && eval "exec $fd>&-"
    done
    cd /
    exec setsid "$SELF" watch "$WHILE_PID" "$MARK" "$dir"
  ) </dev/null >/dev/null 2>&1 &
  disown $!
}

watch() {
  local owner=$1 mark=$2 dir=$3
  while [[ $(cat -- "$dir/$MARKER" 2>/dev/null) == "$mark" ]]; do
    alive "$owner" || { stop "$dir"; return; }
    sleep 0.5
  done
}

# ----------------------------------------------------------------------------------------- run

run() {
  local dir=$1 key value child code
  shift
  start "$dir"
  # shellcheck disable=SC2064  # the directory as it is now
  trap "stop '$dir'" EXIT
  while IFS='=' read -r key value; do export "DSLAP_DB_$key=$value"; done <"$dir/env"
  # In the background, so that a SIGTERM to this script is passed on at once; a SIGINT from the
  # terminal reaches the command by itself.
  trap ':' INT
  trap 'kill -TERM "$child" 2>/dev/null' TERM HUP
  env --default-signal=INT,QUIT "$@" <&0 &
  child=$!
  while :; do
    wait "$child"
    code=$?
    alive "$child" || break
  done
  exit "$code"
}

# ---------------------------------------------------------------------------------------- main

SELF=$(absolute "${BASH_SOURCE[0]}")
MAX_CONNECTIONS=4000
BIND_ADDRESS=127.0.0.1
WHILE_PID=
EXTRA_OPTIONS=()
DB_USER=dslap
DB_PASSWORD=${DSLAP_SANDBOX_PASSWORD:-$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')}
[[ $DB_PASSWORD =~ ^[A-Za-z0-9_.-]+$ ]] ||
  usage_error "DSLAP_SANDBOX_PASSWORD may hold letters, digits, _, . and - only"

case ${1:-} in
  -h | --help | help) usage; exit 0 ;;
  start | stop | run) VERB=$1; shift ;;
  watch) shift; watch "$@"; exit ;;
  '') usage >&2; exit 2 ;;
  *) usage_error "unknown command '$1'" ;;
esac

DIR=
while (($# > 0)); do
  case $1 in
    --help) usage; exit 0 ;;
    --max-connections=*) MAX_CONNECTIONS=${1#*=} ;;
    --bind-address=*) BIND_ADDRESS=${1#*=} ;;
    --option=*) EXTRA_OPTIONS+=("${1#*=}") ;;
    --while-pid=*) WHILE_PID=${1#*=} ;;
    --) break ;;
    -*) usage_error "unknown option '$1'" ;;
    *)
      [[ -z $DIR ]] || usage_error "one DIR only, '$1' is too many"
      DIR=$1
      ;;
  esac
  shift
done
[[ -n $DIR ]] || usage_error "$VERB: DIR is missing"
is_number "$MAX_CONNECTIONS" || usage_error "--max-connections must be a number, not '$MAX_CONNECTIONS'"
[[ -z $WHILE_PID ]] || is_number "$WHILE_PID" || usage_error "--while-pid must be a number, not '$WHILE_PID'"
DIR=$(absolute "$DIR")

case $VERB in
  start)
    [[ $# -eq 0 ]] || usage_error "start: '--' belongs to run"
    start "$DIR"
    cat -- "$DIR/env"
    ;;
  stop)
    [[ $# -eq 0 ]] || usage_error "stop: '--' belongs to run"
    stop "$DIR"
    ;;
  run)
    (($# > 1)) || usage_error "run: the command is missing, write it behind '--'"
    shift
    run "$DIR" "$@"
    ;;
esac
