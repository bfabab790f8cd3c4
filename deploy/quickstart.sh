#!/usr/bin/env bash
# From a fresh clone on Debian 12 to a first benchmark: two agents and a sandbox database, all on
# this machine.
set -uo pipefail

usage() {
  cat <<'USAGE'
usage: deploy/quickstart.sh [OPTIONS]

Installs the Debian packages that are missing (apt-get, through sudo when not root), builds dslap
and dslap-agent, starts a throw-away database and two agents on loopback, runs

  dslap -a --concurrency=50,100 --number-of-queries=2000 --iterations=3

through them, prints the report, and stops and removes all that it started. A few minutes in all on
two cores; the second time it takes seconds. The programs stay in build/quickstart/bin/, the logs in
build/quickstart/logs/. Exits as dslap did.

Options:
  --jobs=N      compilers at once (default: the number of cores, at most 8)
  --no-install  do not look for missing packages
  --help        this text
USAGE
}

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1
readonly BUILD=build/quickstart
readonly LOGS=$BUILD/logs
readonly AGENTS=2

step=start
child=
agent_pids=()
work=

say() { printf 'quickstart: %s\n' "$*"; }

# fail REASON [LOG]
fail() {
  say "FAILED at step '$step': $1" >&2
  if [[ -s ${2:-} ]]; then
    say "the end of $2:" >&2
    tail -n 25 -- "$2" | sed 's/^/  | /' >&2
  fi
  exit 1
}

alive() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  [[ ${stat##*) } != Z* ]]
}

# Runs a command so that a signal to this script reaches it at once; returns its exit code.
run() {
  local code
  env --default-signal=INT,QUIT "$@" <&0 &
  child=$!
  while :; do
    wait "$child"
    code=$?
    alive "$child" || break
  done
  child=
  return "$code"
}

# Ends a process that we started: asks, waits, and only then kills.
# shellcheck disable=SC2317  # called by the trap
end_process() {
  local pid=$1 deadline=$((SECONDS + 15))
  kill -TERM "$pid" 2>/dev/null
  while alive "$pid" && ((SECONDS < deadline)); do sleep 0.05; done
  alive "$pid" || return 0
  say "process $pid does not end: killing it" >&2
  kill -KILL "$pid" 2>/dev/null
}

# shellcheck disable=SC2317  # called by the trap
clean_up() {
  local code=$? pid
  trap '' INT TERM HUP
  for pid in $child "${agent_pids[@]}"; do end_process "$pid"; done
  if [[ -n $work ]]; then
    ./deploy/sandbox-db.sh stop "$work/db" 2>>"$LOGS/database.log" ||
      say "the sandbox database in $work/db could not be stopped, see $LOGS/database.log" >&2
    rm -f -- "$work/env" "$work/password"
    rmdir -- "$work" 2>/dev/null
  fi
  exit "$code"
}

# Shows a tenth of ninja's lines: progress, also where there is no terminal.
show_progress() {
  awk '{ print > log_file }
       match($0, /^\[[0-9]+\/[0-9]+\]/) {
         split(substr($0, 2, RLENGTH - 2), n, "/")
         tenth = int(10 * n[1] / n[2])
         if (tenth > shown) { shown = tenth; printf "  %3d %% built\n", 10 * tenth; fflush() }
       }' log_file="$1"
}

build() {
  step=configure
  # Without debug information: it takes as long to make as the rest.
  run cmake -S . -B "$BUILD" -G Ninja -DCMAKE_BUILD_TYPE=Release -DDSLAP_BUILD_TESTS=OFF \
    '-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG' >"$LOGS/configure.log" 2>&1 ||
    fail "cmake ended with $?" "$LOGS/configure.log"
  step=build
  say "building dslap and dslap-agent in $BUILD"
  local progress code
  exec {progress}> >(show_progress "$LOGS/build.log")
  local progress_pid=$!
  run ninja -C "$BUILD" -j "$jobs" dslap dslap-agent >&"$progress" 2>&1
  code=$?
  exec {progress}>&-
  wait "$progress_pid"
  ((code == 0)) || fail "the build ended with $code" "$LOGS/build.log"
}

start_database() {
  step=database
  say "starting a sandbox database"
  work=$(mktemp -d "${TMPDIR:-/tmp}/dslap-quickstart.XXXXXX") || fail "no temporary directory"
  ./deploy/sandbox-db.sh start --while-pid=$$ "$work/db" >"$work/env" 2>"$LOGS/database.log" ||
    fail "no database could be started" "$LOGS/database.log"
  local key value
  while IFS='=' read -r key value; do declare -g "db_$key=$value"; done <"$work/env"
}

# Starts agent number $1 on a free port of loopback; sets $address.
start_agent() {
  local log=$LOGS/agent-$1.log pid deadline
  : >"$log"  # what an earlier run left must not be taken for this agent's
  # In a session of its own: a Ctrl-C of the terminal is for dslap, which still needs its agents.
  setsid "$BUILD/bin/dslap-agent" --listen=127.0.0.1:0 </dev/null >>"$log" 2>&1 &
  pid=$!
  agent_pids+=("$pid")
  deadline=$((SECONDS + 15))
  until address=$(grep -m1 -oE 'listening on 127\.0\.0\.1:[0-9]+' "$log"); do
    alive "$pid" || fail "agent $1 ended while it was starting" "$log"
    ((SECONDS < deadline)) || fail "agent $1 did not say within 15 seconds where it listens" "$log"
    sleep 0.05
  done
  address=${address#listening on }
}

start_agents() {
  step=agents
  agents=
  local number
  for ((number = 1; number <= AGENTS; ++number)); do
    start_agent "$number"
    agents+=${agents:+,}$address
  done
  say "agents listen on $agents"
}

benchmark() {
  step=benchmark
  local load=(-a '--concurrency=50,100' --number-of-queries=2000 --iterations=3)
  # Set by start_database.
  # shellcheck disable=SC2154
  local target=(-h "$db_HOST" -P "$db_PORT" -u "$db_USER")
  # In a file, not on the command line: whoever lists the processes would read it there.
  local password_file=$work/password
  # shellcheck disable=SC2154
  (umask 077 && printf '%s\n' "$db_PASSWORD" >"$password_file")
  say "dslap --agents=$agents ${target[*]} --password-file=... ${load[*]}"
  echo
  run "$BUILD/bin/dslap" --no-defaults --agents="$agents" "${target[@]}" \
    --password-file="$password_file" "${load[@]}"
}

jobs=$(nproc)
((jobs <= 8)) || jobs=8
install=1
for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --jobs=*) jobs=${argument#*=} ;;
    --no-install) install=0 ;;
    *) say "unknown option '$argument', try --help" >&2; exit 2 ;;
  esac
done
[[ $jobs =~ ^[1-9][0-9]*$ ]] || { say "--jobs must be a number from 1, not '$jobs'" >&2; exit 2; }

trap clean_up EXIT
# Between two commands only: a running one has its own way to end, and its report to print.
trap '[[ -n $child ]] || exit 130' INT
trap 'exit 143' TERM HUP
mkdir -p "$LOGS" || fail "cannot make the directory $LOGS"

if ((install)); then
  step=packages
  missing=$(./deploy/install-packages.sh --print build database) || fail "the list of packages"
  if [[ -n $missing ]]; then
    say "installing missing packages: ${missing//$'\n'/ }"
    run ./deploy/install-packages.sh build database >"$LOGS/packages.log" 2>&1 ||
      fail "not all packages could be installed" "$LOGS/packages.log"
  fi
fi
build
start_database
start_agents
benchmark
code=$?
echo
if ((code == 130)); then
  say "interrupted" >&2
  exit "$code"
elif ((code != 0)); then
  say "FAILED at step '$step': dslap ended with $code; the agents' logs: $LOGS/agent-*.log" >&2
  exit "$code"
fi
say "done; the programs are in $BUILD/bin/, try: $BUILD/bin/dslap --help"
