#!/usr/bin/env bash
# The agent as it is installed and left alone: three load hosts and a database, each a host of its
# own booted by systemd, the packages installed in them, and what happens to hosts done to them.
# shellcheck disable=SC2317  # within() calls what looks unreachable
set -uo pipefail

usage() {
  cat <<'USAGE'
usage: hosts_test.sh [OPTIONS]

Boots throw-away hosts with systemd-nspawn, installs dslap-agent's package in three of them, and
checks: a benchmark over TLS, agents that are killed, hang, are stopped during a run or are set up
wrongly, new certificates with and without a restart, socket activation, and what the journal says.

Options:
  --packages=DIR  where dslap_*.deb and dslap-agent_*.deb are (default: build/packages;
                  deploy/package.sh makes them)
  --why-not       only say why this machine cannot have such hosts, if it cannot
  --keep-going    go on after a check that failed
  --help          this text

Needs root and the package systemd-container; about a minute. Exit code: 0 all checks passed,
1 some did not, 2 usage, 77 the machine cannot have such hosts (the reason is printed).
USAGE
}

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." || exit 1
# shellcheck source=tests/hosts/lab.sh
. tests/hosts/lab.sh

packages=build/packages
keep_going=0
for argument in "$@"; do
  case $argument in
    --packages=?*) packages=${argument#*=} ;;
    --why-not) lab_why_not; exit ;;
    --keep-going) keep_going=1 ;;
    --help) usage; exit 0 ;;
    *) echo "hosts_test.sh: unknown option '$argument': see --help" >&2; exit 2 ;;
  esac
done

readonly DB=10.77.0.10 PASSWORD=hosts-pass-$$
readonly AGENTS="a b c"
declare -A ADDRESS=([a]=10.77.0.11 [b]=10.77.0.12 [c]=10.77.0.13)
ALL=${ADDRESS[a]},${ADDRESS[b]},${ADDRESS[c]}
passed=0 failed=0

# ---------------------------------------------------------------------------------------- checking

now_ms() { echo $((${EPOCHREALTIME/./} / 1000)); }
begin_ms=$(now_ms)

headline() { printf '\n%5.1f s  %s\n' "$(($(now_ms) - begin_ms))e-3" "$*"; }

show() { sed 's/^/       | /' "$@"; }

finish() {
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0)) && exit 0
  exit 1
}

check_failed() {
  ((++failed))
  printf '  FAILED %s\n' "$1"
  [[ -z ${2:-} ]] || printf '%s\n' "$2" | tail -n 25 | show
  local host
  for host in $AGENTS; do
    printf '       journal of %s:\n' "$host"
    lab_in "$host" journalctl -u dslap-agent -n 12 -o cat 2>&1 | show
  done
  ((keep_going)) || finish
}

check_passed() { ((++passed)); printf '  ok %s\n' "$1"; }

# same WHAT WANTED GOT [MORE]
same() {
  if [[ $2 == "$3" ]]; then check_passed "$1"; else
    check_failed "$1: wanted '$2', got '$3'" "${4:-}"
  fi
}

# says WHAT REGEX TEXT: some line of the text matches.
says() {
  if grep -Eq -- "$2" <<<"$3"; then check_passed "$1"; else
    check_failed "$1: no line matches '$2'" "$3"
  fi
}

# within WHAT SECONDS COMMAND...: the command succeeds, at last.
within() {
  local what=$1 bound=$((SECONDS + $2))
  shift 2
  until "$@"; do
    if ((SECONDS >= bound)); then
      check_failed "$what: not within the time"
      return 1
    fi
    sleep 0.1
  done
  check_passed "$what"
}

# ------------------------------------------------------------------------------------------- parts

unit() { lab_in "$1" systemctl show -P "$2" dslap-agent; }
unit_is() { [[ $(unit "$1" "$2") == "$3" ]]; }
status_is() { [[ $(unit "$1" StatusText) =~ $2 ]]; }
journal() { lab_in "$1" journalctl -u dslap-agent -o cat; }

dslap_at_desk() {
  lab_desk "$LAB_DIR/desk/usr/bin/dslap" "$@" --tls-ca="$LAB_DIR/certs/ca.pem" \
    --tls-cert="$LAB_DIR/certs/controller.pem" --tls-key="$LAB_DIR/certs/controller.key" 2>&1
}

agents_table() { dslap_at_desk agents --agents="$ALL"; }

# benchmark AGENTS DSLAP-OPTION...
benchmark() {
  local agents=$1
  shift
  dslap_at_desk --no-defaults --agents="$agents" -h db -P "$db_port" -u "$db_user" \
    -p"$PASSWORD" "$@"
}

short_run() { benchmark "$ALL" -a --concurrency=30 --number-of-queries=3000; }

make_certs() {
  deploy/make-certs.sh "$@" "$LAB_DIR/certs" "${ADDRESS[a]}" "${ADDRESS[b]}" "${ADDRESS[c]}" \
    >/dev/null
}

# put_certs HOST: as an operator copies them.
put_certs() {
  local from=$LAB_DIR/certs/${ADDRESS[$1]} to=$LAB_DIR/$1/root/etc/dslap/tls name
  install -d -m 0700 "$to"
  for name in agent.key agent.pem ca.pem; do
    install -m 0600 "$from/$name" "$to/$name.new"
    mv "$to/$name.new" "$to/$name"
  done
}

expiry() {
  openssl x509 -enddate -noout -in "$LAB_DIR/certs/${ADDRESS[$1]}/agent.pem" |
    sed 's/notAfter=//' | date -u -f - +%Y-%m-%d
}

shown_expiry() {
  dslap_at_desk agents --agents="${ADDRESS[$1]}" | grep -oE '[0-9]{4}-[0-9]{2}-[0-9]{2}' | head -n 1
}
expiry_is_shown() { [[ $(shown_expiry "$1") == "$(expiry "$1")" ]]; }

# The newest of a package in $packages.
package() {
  local each newest=
  for each in "$packages/$1"_*.deb; do
    [[ -n $newest && $newest -nt $each ]] || newest=$each
  done
  [[ -e $newest ]] && echo "$newest"
}

package_is_installed() {
  # shellcheck disable=SC2016  # dpkg-query's own
  [[ $(lab_in "$1" dpkg-query -W -f '${Status}' dslap-agent 2>/dev/null) == "install ok installed" ]]
}

install_agent() {
  cp "$(package dslap-agent)" "$LAB_DIR/$1/root/root/"
  lab_in "$1" sh -c 'DEBIAN_FRONTEND=noninteractive dpkg -i /root/dslap-agent_*.deb' 2>&1
}

database_clients() {
  lab_desk mariadb -N -h "$DB" -P "$db_port" -u "$db_user" -p"$PASSWORD" \
    -e "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT SLEEP%'"
}
clients_at_work_are() { [[ $(database_clients) == "$1" ]]; }

# ------------------------------------------------------------------------------------------- story

boot() {
  headline "four hosts"
  local host
  lab_boot db "$DB"
  for host in $AGENTS; do
    lab_boot "$host" "${ADDRESS[$host]}"
    echo "$DB db" >>"$LAB_DIR/$host/root/etc/hosts"
  done
  for host in db $AGENTS; do lab_await "$host" || { check_failed "host $host boots"; finish; }; done
  check_passed "all boot"
}

start_database() {
  local env
  cp deploy/sandbox-db.sh "$LAB_DIR/db/root/root/"
  env=$(lab_in db env DSLAP_SANDBOX_PASSWORD="$PASSWORD" /root/sandbox-db.sh start \
    --bind-address="$DB" --max-connections=1000 /root/db 2>&1) ||
    { check_failed "the database starts" "$env"; finish; }
  db_port=$(sed -n 's/^PORT=//p' <<<"$env")
  db_user=$(sed -n 's/^USER=//p' <<<"$env")
}

install_packages() {
  headline "install the packages: agents that only their own host can call"
  local host
  mkdir "$LAB_DIR/desk"
  dpkg-deb -x "$(package dslap)" "$LAB_DIR/desk"
  for host in $AGENTS; do install_agent "$host" >"$LAB_DIR/$host/dpkg.log" & done
  for host in $AGENTS; do
    within "dpkg has done its work on $host" 60 package_is_installed "$host" ||
      show "$LAB_DIR/$host/dpkg.log"
    same "on $host the unit is active" active "$(unit "$host" ActiveState)"
  done
  says "other hosts cannot call it" '10\.77\.0\.11(:7527)? +unreachable' \
    "$(lab_desk "$LAB_DIR/desk/usr/bin/dslap" agents --insecure --agents="${ADDRESS[a]}" 2>&1)"
  same "it has a user of its own" yes "$(unit a DynamicUser)"
  same "it says what it does" idle "$(unit a StatusText)"
  local status limits
  status=$(lab_in a cat "/proc/$(unit a MainPID)/status")
  limits=$(lab_in a cat "/proc/$(unit a MainPID)/limits")
  says "without any capability" '^CapEff:\s+0+$' "$status"
  says "or a way to gain one" '^NoNewPrivs:\s+1$' "$status"
  says "under a filter of system calls" '^Seccomp:\s+2$' "$status"
  says "and without core files" '^Max core file size +0 +0 ' "$limits"
  says "it listens on loopback" 'listening on 127\.0\.0\.1:7527$' "$(journal a)"
}

switch_tls_on() {
  headline "certificates, and four lines of /etc/dslap/agent.conf"
  local host
  make_certs
  for host in $AGENTS; do
    put_certs "$host"
    sed -i -E 's/^#((listen|tls-[a-z]+) )/\1/' "$LAB_DIR/$host/root/etc/dslap/agent.conf"
    lab_in "$host" systemctl restart dslap-agent
    same "$host is active" active "$(unit "$host" ActiveState)"
  done
  says "it asks for certificates" 'listening on 0\.0\.0\.0:7527 \(TLS with client certificates\)' \
    "$(journal a)"
  local table
  table=$(agents_table)
  same "dslap agents shows three that are idle" 3 "$(grep -c ' idle ' <<<"$table")" "$table"
}

run_benchmark() {
  headline "a benchmark through all three"
  local output code
  output=$(short_run)
  code=$?
  same "exit code" 0 "$code" "$output"
  says "the verdict, a busy machine allowed for" '^Verdict: (VALID|DEGRADED: start skew [^;]*)$' "$output"
  says "host c did its share" '10\.77\.0\.13(:7527)? +10 +1000 ' "$output"
  show <<<"$output"
}

# As many threads and descriptors as the units have to allow.
run_with_threads() {
  headline "600 clients, each with a thread"
  local output code
  output=$(benchmark "$ALL" -a --concurrency=600 --number-of-queries=6000 --load-engine=threads)
  code=$?
  same "exit code" 0 "$code" "$output"
  says "all connected" 'Clients: connected 600 of 600' "$output"
}

kill_agent() {
  headline "kill -9 of an agent"
  local before output code
  before=$(unit a MainPID)
  lab_in a kill -9 "$before"
  within "it is started again" 15 unit_is a NRestarts 1
  within "and ready" 15 unit_is a ActiveState active
  output=$(short_run)
  code=$?
  same "the next run's exit code" 0 "$code" "$output"
}

stop_during_run() {
  headline "systemctl stop during a run"
  local code log=$LAB_DIR/stopped.txt begin_stop_ms
  benchmark "$ALL" --query='SELECT SLEEP(0.1)' --concurrency=30 --number-of-queries=60000 \
    >"$log" &
  local run=$!
  within "30 clients are at work" 20 clients_at_work_are 30
  within "the unit says which run, and how many clients" 5 status_is b '^run .* of .*, 10 clients$'
  begin_stop_ms=$(now_ms)
  lab_in b systemctl stop dslap-agent
  printf '     stopping took %d ms\n' $(($(now_ms) - begin_stop_ms))
  same "the unit is inactive" "inactive dead success" \
    "$(unit b ActiveState) $(unit b SubState) $(unit b Result)"
  wait "$run"
  code=$?
  same "exit code: an agent was lost" 5 "$code" "$(cat "$log")"
  says "the report is partial" 'INVALID' "$(cat "$log")"
  says "and names the agent and why" '10\.77\.0\.12.*agent is shutting down' "$(cat "$log")"
  show "$log"
  within "nothing of the run is left in the database" 10 clients_at_work_are 0
  lab_in b systemctl start dslap-agent
  same "it starts again" active "$(unit b ActiveState)"
}

renew_by_restart() {
  headline "new certificates: systemctl restart"
  make_certs --days=100
  put_certs c
  local pid
  pid=$(unit c MainPID)
  lab_in c systemctl restart dslap-agent
  within "the new one is shown" 10 expiry_is_shown c
  [[ $pid != "$(unit c MainPID)" ]] || check_failed "it was restarted"
}

# The service reads copies that are made at its start. Where certificates change often, it reads the
# files themselves, as a group that may.
renew_in_place() {
  headline "new certificates: in place, without a restart"
  local etc=$LAB_DIR/a/root/etc pid
  lab_in a groupadd --system dslap-tls
  mkdir -p "$etc/systemd/system/dslap-agent.service.d"
  cp "$LAB_DIR/a/root/usr/share/doc/dslap-agent/examples/renew-in-place.conf" "$etc/systemd/system/dslap-agent.service.d/"
  sed -i 's,/run/credentials/dslap-agent.service/tls_,/etc/dslap/tls/,' "$etc/dslap/agent.conf"
  share_certs
  lab_in a systemctl daemon-reload
  lab_in a systemctl restart dslap-agent
  same "it is active" active "$(unit a ActiveState)"
  pid=$(unit a MainPID)
  make_certs --days=50
  put_certs a
  share_certs
  within "the new one is shown" 15 expiry_is_shown a
  same "by the same process" "$pid" "$(unit a MainPID)"
}
share_certs() { lab_in a sh -c 'chgrp -R dslap-tls /etc/dslap/tls && chmod -R g+rX /etc/dslap/tls'; }

wedge() {
  headline "an agent that hangs: the watchdog"
  local drop_ins=$LAB_DIR/b/root/etc/systemd/system/dslap-agent.service.d
  # 30 s as shipped; the rest is as it is.
  mkdir -p "$drop_ins"
  printf '[Service]\nWatchdogSec=3\n' >"$drop_ins/watchdog.conf"
  lab_in b systemctl daemon-reload
  lab_in b systemctl restart dslap-agent
  local before
  before=$(unit b NRestarts)
  lab_in b kill -STOP "$(unit b MainPID)"
  within "it is started again" 20 unit_is b NRestarts $((before + 1))
  within "and ready" 15 unit_is b ActiveState active
  says "the journal says why" 'Watchdog timeout' "$(journal b)"
}

guard_rail() {
  headline "what the owner of a host does not allow"
  local conf=$LAB_DIR/c/root/etc/dslap/agent.conf output code
  cp "$conf" "$conf.good"
  echo 'allow-target = 10.99.0.0/16:3306' >>"$conf"
  lab_in c systemctl restart dslap-agent
  output=$(short_run)
  code=$?
  same "exit code: an agent refused" 4 "$code" "$output"
  says "the refusal names agent and rule" '10\.77\.0\.13.*allow-target' "$output"
  says "so does the journal" 'event=run .* outcome=refused code=PERMISSION_DENIED .*allow-target' "$(journal c)"
  mv "$conf.good" "$conf"
  lab_in c systemctl restart dslap-agent
}

wrong_settings() {
  headline "a mistake in agent.conf"
  local conf=$LAB_DIR/c/root/etc/dslap/agent.conf before
  cp "$conf" "$conf.good"
  echo 'listne = 0.0.0.0:7527' >>"$conf"
  before=$(unit c NRestarts)
  lab_in c systemctl restart dslap-agent >/dev/null 2>&1
  within "the unit has failed" 10 unit_is c ActiveState failed
  same "with exit code 2" 2 "$(unit c ExecMainStatus)"
  same "and is not started again and again" "$before" "$(unit c NRestarts)"
  says "the journal names the line" 'agent\.conf:[0-9]+: .*listne' "$(journal c)"
  mv "$conf.good" "$conf"
  lab_in c systemctl restart dslap-agent
  same "set right, it starts" active "$(unit c ActiveState)"
}

port_in_use() {
  headline "a port that is in use"
  lab_in c systemctl stop dslap-agent
  lab_in c systemd-run --quiet --unit=squatter systemd-socket-activate -l 0.0.0.0:7527 /bin/true
  within "something else listens there" 10 listens_on_7527 c
  lab_in c systemctl start dslap-agent >/dev/null 2>&1
  within "the agent is tried again" 10 unit_is c SubState auto-restart
  says "the journal says why" 'listen on 0\.0\.0\.0:7527: Address already in use' "$(journal c)"
  lab_in c systemctl stop squatter
  within "and starts when the port is free" 15 unit_is c ActiveState active
}
listens_on_7527() { [[ -n $(lab_in "$1" ss -Hltn 'sport = :7527') ]]; }

socket_activation() {
  headline "socket activation"
  mkdir -p "$LAB_DIR/c/root/etc/systemd/system/dslap-agent.socket.d"
  printf '[Socket]\nListenStream=\nListenStream=0.0.0.0:7527\n' \
    >"$LAB_DIR/c/root/etc/systemd/system/dslap-agent.socket.d/address.conf"
  lab_in c systemctl daemon-reload
  lab_in c systemctl disable --now --quiet dslap-agent.service
  lab_in c systemctl start dslap-agent.socket
  same "nothing runs yet" inactive "$(unit c ActiveState)"
  says "the first caller is served" '10\.77\.0\.13(:7527)? +idle ' "$(agents_table)"
  same "by an agent that came with it" active "$(unit c ActiveState)"
  local output code
  output=$(short_run)
  code=$?
  same "a run through it" 0 "$code" "$output"
}

read_journal() {
  headline "the journal"
  local host text
  says "the run that was stopped is one line, with its reason" \
    '^event=run .* clients=10 .* outcome=stopped code=UNAVAILABLE reason="agent is shutting down"' \
    "$(journal b)"
  for host in $AGENTS; do
    text=$(journal "$host")
    printf '     %s:\n' "$host"
    show <<<"$text"
    same "five runs on $host, each with one line at its end" 5 "$(grep -c '^event=run .* clients=[1-9]' <<<"$text")"
    same "of whom, from where, to what, how big" 5 "$(grep -cE \
      "^event=run .* peer=ipv4:10\.77\.0\.1:[0-9]+ .* target=db:$db_port user=$db_user clients=[1-9]" \
      <<<"$text")"
    same "no password on $host" 0 "$(grep -c -- "$PASSWORD" <<<"$text")"
    same "no statement on $host" 0 "$(grep -ci -- 'select' <<<"$text")"
  done
}

# -------------------------------------------------------------------------------------------- main

why_not=$(lab_why_not)
if [[ -n $why_not ]]; then
  echo "skipped: $why_not"
  exit 77
fi
for each in dslap dslap-agent; do
  package "$each" >/dev/null && continue
  echo "hosts_test.sh: no package $each in $packages: deploy/package.sh makes it" >&2
  exit 2
done
trap lab_close EXIT
trap 'exit 130' INT TERM
lab_open
boot
start_database
install_packages
switch_tls_on
run_benchmark
run_with_threads
kill_agent
stop_during_run
renew_by_restart
renew_in_place
wedge
guard_rail
wrong_settings
port_in_use
socket_activation
read_journal
finish
