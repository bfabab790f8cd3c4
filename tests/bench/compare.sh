#!/usr/bin/env bash
# Measures dslap beside mysqlslap, sysbench and the raw floor, on one private server on this
# machine. docs/performance.md says what the figures mean and what they were.
set -uo pipefail

readonly ALL_SECTIONS=(cpu connect memory sweep agents crossing rows)
readonly ALL_PROGRAMS=(mysqlslap sysbench threads epoll auto floor)

usage() {
  cat <<'USAGE'
usage: tests/bench/compare.sh [OPTIONS]

Sections, in order:
  cpu       client CPU for each statement, and statements per second: every program, every --clients
  connect   10,000 clients connect, execute one statement each and go: mysqlslap and dslap
  memory    memory and threads of one agent with 10,000 clients
  sweep     one command line from 20 to 10,000 clients, its statements counted by the server
  agents    statements per second through one local agent and through two
  crossing  a thread for each client beside epoll, from 1 to 128 clients
  rows      memory of an agent while 1000 clients read a result of 10 MB each

Options:
  --only=SECTION,...    these sections only
  --clients=N,...       of cpu and agents (default 8,64,256,1000,4000)
  --programs=NAME,...   of cpu: mysqlslap, sysbench, threads, epoll, auto (dslap with each
                        --load-engine), floor (tests/bench/raw_floor.cc); default: all
  --pairs=N             measurements of each program, which take turns (default 5)
  --statements=N        in each measurement, at least (default 200000)
  --statements-each=N   of each client, at least (default 50)
  --many=N              clients of connect and memory (default 10000)
  --server-threads=KIND pool (default) or each: how the server carries its connections
  --tcp                 over TCP on loopback instead of the Unix socket
  --build=DIR           the build to measure (default build/release)
  --help                this text

Every ratio is the median of the ratios of measurements that followed one another. Measure on a
quiet machine: the load average is printed. Needs mariadb-server-core, mariadb-client, sysbench,
and 20,000 open files (ulimit -Hn).
USAGE
}

usage_error() { printf 'compare.sh: %s\ncompare.sh: try --help\n' "$*" >&2; exit 2; }
die() { printf 'compare.sh: %s\n' "$*" >&2; exit 1; }
note() { printf '   %s\n' "$*"; }
headline() { printf '\n== %s\n' "$*"; }

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1

# -------------------------------------------------------------------------------------- the server

start_server() {
  local options=(--max-connections=12000 --option=--max-prepared-stmt-count=0)
  [[ $SERVER_THREADS == each ]] || options+=(--option=--thread-handling=pool-of-threads)
  ./deploy/sandbox-db.sh start --while-pid=$$ "${options[@]}" "$WORK/db" >"$WORK/start.log" 2>&1 ||
    { cat -- "$WORK/start.log" >&2; die "no server"; }
  local key value
  while IFS='=' read -r key value; do declare -g "DB_$key=$value"; done <"$WORK/db/env"
  sql 'CREATE DATABASE bench' 'USE bench' \
    'CREATE TABLE bench.t (id INT PRIMARY KEY, name VARCHAR(100))' \
    "INSERT INTO bench.t SELECT seq, REPEAT('x', 50) FROM seq_1_to_100"
}

clean_up() {
  stop_agents
  ./deploy/sandbox-db.sh stop "$WORK/db" >/dev/null 2>&1
  rm -rf -- "$WORK"
}

# sql STATEMENT...: as root.
sql() { printf '%s;\n' "$@" | mariadb --no-defaults -N -uroot -S "$DB_SOCKET" || die "SQL failed"; }
counter() { sql "SHOW GLOBAL STATUS LIKE '$1'" | cut -f2; }

# counted NAME COUNT: true as soon as the counter is there. The server adds up what a connection did
# only after it is gone.
counted() {
  local deadline=$((SECONDS + 10))
  until (($(counter "$1") >= $2)); do
    ((SECONDS < deadline)) || return 1
    sleep 0.1
  done
}

# ------------------------------------------------------------------------------------ the programs

client_options() {
  if ((TCP)); then
    CLIENT=(--no-defaults -h "$DB_HOST" -P "$DB_PORT")
    SYSBENCH=(--mysql-host="$DB_HOST" --mysql-port="$DB_PORT")
    FLOOR=(--host="$DB_HOST" --port="$DB_PORT")
  else
    CLIENT=(--no-defaults -S "$DB_SOCKET")
    SYSBENCH=(--mysql-socket="$DB_SOCKET")
    FLOOR=(--socket="$DB_SOCKET")
  fi
  CLIENT+=(-u "$DB_USER" "-p$DB_PASSWORD" --create-schema=bench --no-drop)
  SYSBENCH+=(--db-driver=mysql --mysql-user="$DB_USER" --mysql-password="$DB_PASSWORD"
    --mysql-db=bench --db-ps-mode=disable --time=0)
  FLOOR+=(--user="$DB_USER" --password="$DB_PASSWORD")
}

write_lua() {
  cat >"$WORK/statement.lua" <<LUA
function thread_init()
  connection = sysbench.sql.driver():connect()
end
function event()
  connection:query("$STATEMENT"):free()
end
function thread_done()
  connection:disconnect()
end
LUA
}

# Fills COMMAND with what has PROGRAM execute STATEMENTS by CLIENTS clients.
command_of() {
  local program=$1 clients=$2 statements=$3
  local slap=("${CLIENT[@]}" --concurrency="$clients" --number-of-queries="$statements"
    --query="$STATEMENT")
  case $program in
    mysqlslap) COMMAND=(mysqlslap "${slap[@]}") ;;
    sysbench)
      COMMAND=(sysbench "${SYSBENCH[@]}" --threads="$clients" --events="$statements"
        "$WORK/statement.lua" run)
      ;;
    floor)
      COMMAND=("$BUILD/tests/bench/raw_floor" "${FLOOR[@]}" --clients="$clients"
        --statements="$statements" --query="$STATEMENT")
      ;;
    *) COMMAND=("$BUILD/bin/dslap" "${slap[@]}" --load-engine="$program") ;;
  esac
}

# Runs COMMAND; WALL, CPU: its seconds. False: it failed, or said something on stderr that is no
# line of progress.
timed() {
  local user system code TIMEFORMAT='%R %U %S'
  { time "${COMMAND[@]}" >"$WORK/out" 2>"$WORK/err"; } 2>"$WORK/times"
  code=$?
  read -r WALL user system <"$WORK/times"
  CPU=$(awk -v u="$user" -v s="$system" 'BEGIN { print u + s }')
  ((code == 0)) && ! grep -Evq '^dslap: [0-9]+ clients?: ' "$WORK/err"
}

# The seconds of the measured window, as the program itself says.
window_seconds() {
  sed -nE -e 's/.*Average number of seconds to run all queries: ([0-9.]+) .*/\1/p' \
    -e 's/.*total time: +([0-9.]+)s.*/\1/p' -e 's/.* seconds=([0-9.]+) .*/\1/p' "$WORK/out" |
    head -n 1
}

# measure SECTION PROGRAM CLIENTS PAIR: appends "section clients program pair cpu_us per_second".
measure() {
  local section=$1 program=$2 clients=$3 pair=$4 statements before
  statements=$(statements_of "$clients")
  command_of "$program" "$clients" "$statements"
  before=$(counter Com_select)
  timed || { show_failure "$program with $clients clients"; return 1; }
  if ! counted Com_select $((before + statements)); then
    note "FAILED: $program with $clients clients did not execute $statements statements"
    return 1
  fi
  awk -v cpu="$CPU" -v n="$statements" -v window="$(window_seconds)" -v key="$section $clients \
$program $pair" 'BEGIN { printf "%s %.3f %.1f\n", key, cpu * 1e6 / n, n / window }' >>"$RESULTS"
}

show_failure() {
  printf '   FAILED: %s; the first lines of what it said:\n' "$1"
  head -n 4 -- "$WORK/err" | cut -c1-150 | sed 's/^/     | /'
}

# As many for each client, so that no program leaves a remainder out.
statements_of() {
  local each=$(((STATEMENTS + $1 - 1) / $1))
  ((each >= STATEMENTS_EACH)) || each=$STATEMENTS_EACH
  echo $((each * $1))
}

# ----------------------------------------------------------------------------------------- results

# Prints, for the lines of RESULTS of section $1, a table with the ratios to each of the programs in
# $2 (CPU) and to $3 (statements per second).
table() {
  awk -v section="$1" -v bases="$2" -v rate_base="$3" '
    function median(values, n,    i, j, t) {
      for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j] < values[j - 1]; j--) {
          t = values[j]; values[j] = values[j - 1]; values[j - 1] = t
        }
      return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
    }
    # The median of a column, or of its ratios to another program in the same pair.
    function middle(what, clients, program, base,    pair, n, v, below) {
      n = 0
      for (pair = 1; pair <= pairs; pair++) {
        if (!((what, clients, program, pair) in figure)) continue
        if (base != "" && !((what, clients, base, pair) in figure)) continue
        below = base == "" ? 1 : figure[what, clients, base, pair]
        v[++n] = figure[what, clients, program, pair] / below
      }
      return n == 0 ? "-" : median(v, n)
    }
    function show(value, format) { return value == "-" ? value : sprintf(format, value) }
    $1 == section {
      if (!($2 in seen_clients)) { seen_clients[$2]; clients[++client_count] = $2 }
      if (!($3 in seen)) { seen[$3]; programs[++program_count] = $3 }
      figure["cpu", $2, $3, $4] = $5
      figure["rate", $2, $3, $4] = $6
      if ($4 > pairs) pairs = $4
    }
    END {
      base_count = split(bases, base, " ")
      printf "%8s %-10s %10s", "clients", "program", "CPU us"
      for (b = 1; b <= base_count; b++) printf " %12s", "/" base[b]
      printf " %12s %12s\n", "per second", "/" rate_base
      for (c = 1; c <= client_count; c++)
        for (p = 1; p <= program_count; p++) {
          n = clients[c]; name = programs[p]
          printf "%8s %-10s %10s", n, name, show(middle("cpu", n, name, ""), "%.2f")
          for (b = 1; b <= base_count; b++)
            printf " %12s", show(middle("cpu", n, name, base[b]), "%.3f")
          printf " %12s %12s\n", show(middle("rate", n, name, ""), "%.0f"),
            show(middle("rate", n, name, rate_base), "%.3f")
        }
    }' "$RESULTS"
}

median() {
  sort -n | awk '{ v[NR] = $1 }
    END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'
}

describe_machine() {
  headline "machine"
  note "$(nproc) cores, $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)," \
    "$(awk '/^MemTotal/ { printf "%.1f GB", $2 / 1e6 }' /proc/meminfo)"
  note "Linux $(uname -r), load average $(cut -d' ' -f1-3 /proc/loadavg)"
  note "server $(sql 'SELECT VERSION()'), threads: $SERVER_THREADS," \
    "over $( ((TCP)) && echo TCP || echo 'a Unix socket')"
  note "$(mysqlslap --version | tr -s ' ')"
  note "$(sysbench --version)"
  note "$("$BUILD/bin/dslap" --version)"
  awk '{ exit !($1 >= 1.5) }' /proc/loadavg &&
    note "WARNING: others use this machine (the load is 1.5 or more): do not believe the figures"
  return 0
}

# ------------------------------------------------------------------------------------------ agents

AGENT_PIDS=()
AGENT_ADDRESSES=()

start_agent() {
  local log=$WORK/agent-${#AGENT_PIDS[@]}.log address='' deadline=$((SECONDS + 20))
  "$BUILD/bin/dslap-agent" --listen=127.0.0.1:0 >"$log" 2>&1 &
  AGENT_PIDS+=($!)
  until [[ -n $address ]]; do
    ((SECONDS < deadline)) || { cat -- "$log" >&2; die "no agent"; }
    sleep 0.05
    address=$(sed -nE 's/.*listening on (127\.0\.0\.1:[0-9]+).*/\1/p' "$log" | head -n 1)
  done
  AGENT_ADDRESSES+=("$address")
}

stop_agents() {
  local pid
  for pid in "${AGENT_PIDS[@]}"; do kill "$pid" && wait "$pid"; done 2>/dev/null
  AGENT_PIDS=()
  AGENT_ADDRESSES=()
}

# through_agent OPTION...: runs dslap through one fresh agent; PEAK_MB, PEAK_THREADS: the agent's.
through_agent() {
  local watcher
  start_agent
  local pid=${AGENT_PIDS[0]}
  while sleep 0.1; do sed -n 's/^Threads:\t//p' "/proc/$pid/status"; done >"$WORK/threads" &
  watcher=$!
  COMMAND=("$BUILD/bin/dslap" "${CLIENT[@]}" --agents="${AGENT_ADDRESSES[0]}" "$@")
  timed
  local code=$?
  { kill "$watcher" && wait "$watcher"; } 2>/dev/null
  PEAK_MB=$(awk '/^VmHWM/ { printf "%.0f", $2 / 1024 }' "/proc/$pid/status")
  PEAK_THREADS=$(sort -n "$WORK/threads" | tail -n 1)
  stop_agents
  return "$code"
}

# ---------------------------------------------------------------------------------------- sections

section_cpu() {
  headline "cpu: '$STATEMENT', whole processes, $PAIRS pairs"
  local clients pair program
  for clients in "${CLIENTS[@]}"; do
    for ((pair = 1; pair <= PAIRS; pair++)); do
      for program in "${PROGRAMS[@]}"; do measure cpu "$program" "$clients" "$pair"; done
    done
  done
  table cpu "mysqlslap sysbench floor" mysqlslap
}

section_connect() {
  headline "connect: $MANY clients, one statement each, seconds of the whole process, $PAIRS pairs"
  local pair program STATEMENT='do 1'
  for ((pair = 1; pair <= PAIRS; pair++)); do
    for program in mysqlslap threads epoll; do
      command_of "$program" "$MANY" "$MANY"
      if timed; then
        echo "$WALL" >>"$WORK/connect.$program"
        grep -h "^	  connect" "$WORK/out" >>"$WORK/connect.$program.report"
      else
        show_failure "$program"
      fi
    done
  done
  for program in mysqlslap threads epoll; do
    [[ -s $WORK/connect.$program ]] || continue
    note "$program: median $(median <"$WORK/connect.$program") s of" \
      "$(wc -l <"$WORK/connect.$program") that succeeded"
  done
  # Its report has the time of each connect.
  [[ ! -s $WORK/connect.epoll.report ]] || tail -n 1 "$WORK/connect.epoll.report"
}

section_memory() {
  local engine
  headline "memory: one agent with $MANY clients"
  for engine in epoll auto; do
    through_agent --load-engine="$engine" --concurrency="$MANY" --number-of-queries=$((10 * MANY)) \
      --query="$STATEMENT" || show_failure "$engine"
    note "$engine: $PEAK_MB MB at most, $PEAK_THREADS threads at most;" \
      "$(sed -n 's/^\t\(Clients: .*\)/\1/p' "$WORK/out")"
  done
}

section_sweep() {
  local list=20,100,200,500,1000,1500,2000,3000,5000,7000,10000 before executed wanted=550000
  headline "sweep: --concurrency=$list, 50000 statements each"
  before=$(counter Com_do)
  through_agent --concurrency="$list" --number-of-queries=50000 --query='do 1' ||
    show_failure "dslap"
  counted Com_do $((before + wanted))
  executed=$(($(counter Com_do) - before))
  note "$executed of $wanted statements executed, as the server counts them; $WALL s," \
    "agent $PEAK_MB MB at most;" \
    "$(grep -c 'Statements executed: 50000 of 50000$' "$WORK/out") of 11 cases complete;" \
    "$(tail -n 1 "$WORK/out")"
  sed -nE 's/^\t(Number of clients running queries: |Queries per second: )(.*)/\2/p' "$WORK/out" |
    paste - - | sed 's/^/   clients, statements per second: /'
}

section_agents() {
  local clients pair count agents statements
  headline "agents: statements per second through one local agent and through two, $PAIRS pairs"
  start_agent
  start_agent
  for clients in "${CLIENTS[@]}"; do
    statements=$(statements_of "$clients")
    for ((pair = 1; pair <= PAIRS; pair++)); do
      for count in 1 2; do
        agents=$(IFS=,; echo "${AGENT_ADDRESSES[*]:0:count}")
        COMMAND=("$BUILD/bin/dslap" "${CLIENT[@]}" --agents="$agents" --concurrency="$clients"
          --number-of-queries="$statements" --query="$STATEMENT")
        timed || { show_failure "$count agents"; continue; }
        awk -v n="$statements" -v window="$(window_seconds)" -v key="agents $clients $count $pair" \
          'BEGIN { printf "%s 0 %.1f\n", key, n / window }' >>"$RESULTS"
      done
    done
  done
  stop_agents
  # The CPU is the agents', and not told.
  table agents "" 1 | awk '{ print NR == 1 ? "clients agents per-second /1" : $1 " " $2 " " $4 " " $5 }' |
    column -t
}

section_crossing() {
  local clients pair engine
  headline "crossing: threads and epoll, $PAIRS pairs"
  for clients in 1 2 4 8 16 32 64 128; do
    for ((pair = 1; pair <= PAIRS; pair++)); do
      for engine in threads epoll; do measure crossing "$engine" "$clients" "$pair"; done
    done
  done
  table crossing threads threads
}

section_rows() {
  local engine
  headline "rows: 1000 clients read a result of 10 MB each"
  for engine in threads epoll; do
    through_agent --load-engine="$engine" --concurrency=1000 --number-of-queries=1000 \
      --query="select repeat('x', 10000) from seq_1_to_1000" || show_failure "$engine"
    note "$engine: $PEAK_MB MB at most, $WALL s;" \
      "$(sed -n 's/^\t\(Statements executed: .*\)/\1/p' "$WORK/out")"
  done
}

# -------------------------------------------------------------------------------------------- main

SECTIONS=("${ALL_SECTIONS[@]}")
PROGRAMS=("${ALL_PROGRAMS[@]}")
CLIENTS=(8 64 256 1000 4000)
PAIRS=5
STATEMENTS=200000
STATEMENTS_EACH=50
MANY=10000
SERVER_THREADS=pool
TCP=0
BUILD=build/release
STATEMENT='select * from bench.t limit 0,10'

# number OPTION TEXT: prints the number.
number() {
  [[ $2 =~ ^[1-9][0-9]*$ ]] || usage_error "$1 must be a number from 1, not '$2'"
  echo "$2"
}

# choose OPTION LIST KNOWN...: prints the items of the list, one a line.
choose() {
  local option=$1 item list=$2
  shift 2
  for item in ${list//,/ }; do
    [[ " $* " == *" $item "* ]] || usage_error "$option: there is no '$item' (there are: $*)"
    echo "$item"
  done
}

for argument in "$@"; do
  value=${argument#*=}
  case $argument in
    --help) usage; exit 0 ;;
    --only=*)
      list=$(choose --only "$value" "${ALL_SECTIONS[@]}") || exit
      mapfile -t SECTIONS <<<"$list"
      ;;
    --programs=*)
      list=$(choose --programs "$value" "${ALL_PROGRAMS[@]}") || exit
      mapfile -t PROGRAMS <<<"$list"
      ;;
    --clients=*)
      IFS=, read -ra CLIENTS <<<"$value"
      for item in "${CLIENTS[@]}"; do number --clients "$item" >/dev/null || exit; done
      ;;
    --pairs=*) PAIRS=$(number --pairs "$value") || exit ;;
    --statements=*) STATEMENTS=$(number --statements "$value") || exit ;;
    --statements-each=*) STATEMENTS_EACH=$(number --statements-each "$value") || exit ;;
    --many=*) MANY=$(number --many "$value") || exit ;;
    --server-threads=*) SERVER_THREADS=$(choose --server-threads "$value" pool each) || exit ;;
    --tcp) TCP=1 ;;
    --build=*) BUILD=$value ;;
    *) usage_error "unknown option '$argument'" ;;
  esac
done

for program in mariadb mysqlslap sysbench "$BUILD/bin/dslap" "$BUILD/bin/dslap-agent" \
  "$BUILD/tests/bench/raw_floor"; do
  command -v "$program" >/dev/null || die "$program is missing: see --help"
done
# The threads and descriptors of 10,000 clients.
ulimit -Sn "$(ulimit -Hn)"

WORK=$(mktemp -d) || exit 1
readonly RESULTS=$WORK/results
: >"$RESULTS"
trap clean_up EXIT
trap 'exit 130' INT TERM
start_server
client_options
write_lua
describe_machine
for section in "${SECTIONS[@]}"; do "section_$section"; done
