#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test and check of the project.
set -uo pipefail

readonly ALL_STEPS=(format shellcheck release asan tsan fuzz tidy soak packages hosts bench)

usage() {
  cat <<'USAGE'
usage: tests/run.sh [OPTIONS]

Steps, in order:
  format      clang-format of all C++ files
  shellcheck  shellcheck of all scripts
  release     build as shipped, then every test: unit, component, integration, end-to-end, compat
  asan        unit and component tests under AddressSanitizer and UndefinedBehaviorSanitizer
  tsan        those of them that start threads, under ThreadSanitizer
  fuzz        tests/fuzz: each target for a minute (or for DSLAP_FUZZ_SECONDS), all at once; what
              they have learned is kept in build/fuzz/corpus, what they find in build/fuzz/findings
  tidy        clang-tidy of all C++ files: with --tidy or --only=tidy, as it takes longer than all
              the rest together
  soak        tests/soak: rounds with random faults over several agents for ten minutes (or for
              DSLAP_SOAK_SECONDS), after each of which nothing may be left: with --soak or
              --only=soak. The release step has ten seconds of it
  packages    tests/packages: the Debian packages built, and installed, upgraded and purged in a clean
              Debian: with --packages or --only=packages; needs root and the network
  hosts       tests/hosts: the packages in hosts of their own, booted by systemd: with --hosts or
              --only=hosts, as it needs root and systemd-nspawn; skipped where there can be none
  bench       tests/bench: the micro benchmarks, then dslap beside mysqlslap, sysbench and the raw
              floor: with --bench or --only=bench, on a quiet machine, a quarter of an hour

Options:
  --only=STEP,...  these steps only
  --skip=STEP,...  all steps but these
  --tidy           all steps, tidy too
  --soak           all steps, soak too
  --packages       all steps, packages too
  --hosts          all steps, hosts too
  --bench          all steps, bench too
  --quick          format, shellcheck, and release with unit and component tests only
  --tests=REGEX    in each step that runs tests only those whose name matches
  --mysql9[=TREE]  tests against Oracle's MySQL 9 and its programs too, which are skipped otherwise:
                   in TREE (default: build/mysql9), made from the network when it is not there;
                   needs root. --tests=mysql9 chooses most of them
  --jobs=N         processes at once (default: the number of cores, at most 8)
  --no-install     do not look for missing packages
  --help           this text

Missing Debian packages are installed with apt-get, through sudo when not root. Logs are in
build/logs/. A step that fails does not keep the others from running; the exit code is 0 only when
all passed. The last line is "N passed, N failed": test cases of all steps together, each check
that is no test (format, shellcheck, a build, one file of tidy) counted as one.
USAGE
}

usage_error() { printf 'run.sh: %s\nrun.sh: try --help\n' "$*" >&2; exit 2; }

cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." || exit 1
readonly LOGS=build/logs
passed=0 failed=0 skipped=0
failures=()

# ---------------------------------------------------------------------------------- reporting

headline() { printf '\n== %s\n' "$*"; }

seconds_since() { awk -v a="$1" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", b - a }'; }

record_failure() {
  failures+=("$1 (see $2)")
  printf 'FAILED %s; the end of %s:\n' "$1" "$2"
  tail -n "${3:-40}" -- "$2" | sed 's/^/  | /'
}

# check NAME COMMAND...: runs it with its output in a log, counts it as one.
check() {
  local name=$1 log start=$EPOCHREALTIME
  shift
  log=$LOGS/${name//[ \/]/-}.log
  printf '%s ... ' "$name"
  if "$@" >"$log" 2>&1; then
    ((++passed))
    printf 'ok (%s)\n' "$(seconds_since "$start")"
  else
    ((++failed))
    printf 'failed (%s)\n' "$(seconds_since "$start")"
    record_failure "$name" "$log"
    return 1
  fi
}

# Reads ctest's own log; prints "passed failed skipped" in test cases. A program that ended badly
# without a failed case (a crash, a timeout) counts as one failed; one that has no cases as one; one
# that is skipped as a whole as one skipped.
count_cases() {
  awk '
    /^[0-9]+\/[0-9]+ Testing: /          { ok = bad = skip = 0; open = 1 }
    /^\[       OK \] .* ms\)/            { ok++ }
    /^\[  FAILED  \] .* ms\)$/           { bad++ }
    /^\[  SKIPPED \] .* ms\)$/           { skip++ }
    /sandbox_database\.cc:[0-9]+: Skipped$/ { whole = 1 }
    open && /^Test (Passed\.|Failed\.|Pass Reason|Fail Reason|Timeout|timed out)/ {
      good = /^Test Pass/
      if (!good && bad == 0) bad = 1
      if (whole) { ok = 0; skip = 1; whole = 0 }
      if (good && ok + skip == 0) ok = 1
      all_ok += ok; all_bad += bad; all_skip += skip; open = 0
    }
    END { if (open) all_bad++; print all_ok + 0, all_bad + 0, all_skip + 0 }
  ' "$1"
}

# run_tests PRESET CTEST-OPTION...
run_tests() {
  local preset=$1 log start=$EPOCHREALTIME code ok bad skip
  shift
  log=$LOGS/$preset-tests.log
  # Kernels that spread addresses widely leave no room for the sanitizers of g++ 12.
  local wrapper=()
  setarch -R true 2>/dev/null && wrapper=(setarch -R)
  rm -f "build/$preset/Testing/Temporary/LastTest.log"
  "${wrapper[@]}" ctest --test-dir "build/$preset" -j "$JOBS" --output-on-failure --no-tests=error \
    "${TEST_FILTER[@]}" "$@" 2>&1 | tee "$log" | grep -E '^ *[0-9]+/[0-9]+ Test'
  code=${PIPESTATUS[0]}
  read -r ok bad skip < <(count_cases "build/$preset/Testing/Temporary/LastTest.log")
  ((code == 0 || bad > 0)) || bad=1
  passed=$((passed + ok)) failed=$((failed + bad)) skipped=$((skipped + skip))
  printf '%s tests: %d passed, %d failed, %d skipped (%s)\n' "$preset" "$ok" "$bad" "$skip" \
    "$(seconds_since "$start")"
  ((code == 0)) || record_failure "$preset tests" "$log" 100
  if ((skip > 0)); then
    printf 'skipped, with reasons:\n'
    grep -hE -A2 'Skipped$' "build/$preset/Testing/Temporary/LastTest.log" | sed 's/^/  | /'
  fi
}

# --------------------------------------------------------------------------------------- steps

own_files() { git ls-files --cached --others --exclude-standard -- "$@"; }

step_format() {
  headline "format"
  local files
  mapfile -t files < <(own_files '*.cc' '*.h')
  check "format" clang-format --dry-run -Werror "${files[@]}"
}

step_shellcheck() {
  headline "shellcheck"
  local files
  mapfile -t files < <(own_files '*.sh' '.ci/run')
  check "shellcheck" shellcheck -x "${files[@]}"
}

configure_and_build() {
  local preset=$1
  shift
  check "$preset configure" cmake --preset "$preset" || return 1
  # Names of tests are names of targets; without any, everything is built.
  check "$preset build" ninja -C "build/$preset" -j "$JOBS" "$@"
}

step_release() {
  headline "release: build as shipped, all tests"
  configure_and_build release || return
  run_tests release "${RELEASE_LABELS[@]}"
}

# Has the tests that want MySQL 9 and Oracle's programs find them in $MYSQL9_TREE, made first if need
# be.
provide_mysql9() {
  local script=$PWD/tests/integration/mysql9_server.sh
  headline "MySQL 9"
  check "mysql9 tree" "$script" tree "$MYSQL9_TREE" || return
  export DSLAP_MYSQL9_TREE=$MYSQL9_TREE
  export DSLAP_ORACLE_MYSQLSLAP="$script exec $MYSQL9_TREE mysqlslap"
  export DSLAP_ORACLE_PRINT_DEFAULTS="$script exec $MYSQL9_TREE my_print_defaults"
}

# sanitizer_step PRESET CTEST-OPTION...
sanitizer_step() {
  local preset=$1 targets
  shift
  headline "$preset: unit and component tests"
  check "$preset configure" cmake --preset "$preset" || return
  mapfile -t targets < <(ctest --test-dir "build/$preset" -N -L 'unit|component' "$@" |
    sed -nE 's/^ *Test +#[0-9]+: //p')
  check "$preset build" ninja -C "build/$preset" -j "$JOBS" "${targets[@]}" || return
  run_tests "$preset" -L 'unit|component' "$@"
}

step_asan() { sanitizer_step asan; }
step_tsan() { sanitizer_step tsan -LE single_threaded; }

tidy_one() {
  local log=$LOGS/tidy/${1//\//_}.log
  # -Wshadow=local is g++'s; Debian's clang 14 reads <coroutine> only with the macro.
  if clang-tidy --quiet -p build/release --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-D__cpp_impl_coroutine=201902L "$1" >"$log" 2>&1; then
    rm -f "$log"
    echo "ok $1"
  else
    echo "bad $1"
  fi
}

step_tidy() {
  headline "tidy: clang-tidy of all C++ files"
  local start=$EPOCHREALTIME results=$LOGS/tidy.txt bad
  # It needs the compile commands and the generated headers.
  if [[ ! -f build/release/build.ninja ]]; then
    check "release configure" cmake --preset release || return
  fi
  check "tidy generated headers" ninja -C build/release -j "$JOBS" dslap_proto || return
  rm -rf "$LOGS/tidy"
  mkdir -p "$LOGS/tidy"
  export -f tidy_one
  export LOGS
  # shellcheck disable=SC2016  # "$1" is the inner shell's
  own_files '*.cc' | xargs -P "$JOBS" -n 1 bash -c 'tidy_one "$1"' tidy >"$results"
  passed=$((passed + $(grep -c '^ok ' "$results")))
  bad=$(grep -c '^bad ' "$results")
  failed=$((failed + bad))
  printf 'tidy: %d files, %d with findings (%s)\n' "$(wc -l <"$results")" "$bad" \
    "$(seconds_since "$start")"
  local file
  while read -r file; do
    record_failure "tidy $file" "$LOGS/tidy/${file//\//_}.log"
  done < <(sed -n 's/^bad //p' "$results")
}

# fuzz_one TARGET: goes on from what earlier runs have learned.
fuzz_one() {
  local target=$1 seeds=() known=build/fuzz/corpus/$1
  [[ ! -d tests/fuzz/corpus/${target%_fuzz} ]] || seeds=("tests/fuzz/corpus/${target%_fuzz}")
  mkdir -p "$known"
  "build/fuzz/fuzz/$target" -max_total_time="${DSLAP_FUZZ_SECONDS:-60}" -timeout=20 \
    -rss_limit_mb=2048 -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target-" \
    "$known" "${seeds[@]}"
}

step_fuzz() {
  headline "fuzz: any input"
  check "fuzz configure" cmake --preset fuzz || return
  check "fuzz build" ninja -C build/fuzz -j "$JOBS" fuzz_targets || return
  mkdir -p build/fuzz/findings
  local path target start=$EPOCHREALTIME
  local -A running
  for path in build/fuzz/fuzz/*_fuzz; do
    target=${path##*/}
    fuzz_one "$target" >"$LOGS/fuzz-$target.log" 2>&1 &
    running[$target]=$!
  done
  for target in "${!running[@]}"; do
    if wait "${running[$target]}"; then
      ((++passed))
      printf '%s ... ok (%s, %s)\n' "$target" "$(seconds_since "$start")" \
        "$(sed -n 's/^stat::number_of_executed_units: *\(.*\)/\1 inputs/p' "$LOGS/fuzz-$target.log")"
    else
      ((++failed))
      printf '%s ... failed (%s)\n' "$target" "$(seconds_since "$start")"
      record_failure "$target" "$LOGS/fuzz-$target.log"
    fi
  done
}

step_soak() {
  headline "soak: random faults"
  configure_and_build release dslap dslap-agent soak_test || return
  DSLAP_SOAK_SECONDS=${DSLAP_SOAK_SECONDS:-600} check "soak" build/release/tests/soak_test &&
    sed 's/^/  | /' "$LOGS/soak.log"
}

step_packages() {
  headline "packages: built, installed, upgraded, purged"
  check "packages" tests/packages/packages_test.sh && sed 's/^/  | /' "$LOGS/packages.log"
}

step_hosts() {
  headline "hosts: the packages, in hosts booted by systemd"
  local log=$LOGS/hosts.log why_not code
  why_not=$(tests/hosts/hosts_test.sh --why-not)
  if [[ -n $why_not ]]; then
    printf 'skipped: %s\n' "$why_not"
    ((++skipped))
    return
  fi
  check "hosts packages" deploy/package.sh --no-lintian --no-install --jobs="$JOBS" \
    build/packages || return
  tests/hosts/hosts_test.sh --packages=build/packages 2>&1 | tee "$log"
  code=${PIPESTATUS[0]}
  passed=$((passed + $(grep -c '^  ok ' "$log")))
  ((code != 0)) || return 0
  ((++failed))
  failures+=("hosts (see $log)")
}

# The figures are the result; it fails only when something does not run.
step_bench() {
  headline "bench: what dslap costs"
  configure_and_build release dslap dslap-agent raw_floor micro_benchmark || return
  check "bench micro" build/release/tests/bench/micro_benchmark &&
    sed 's/^/  | /' "$LOGS/bench-micro.log"
  check "bench compare" tests/bench/compare.sh && sed 's/^/  | /' "$LOGS/bench-compare.log"
}

# ---------------------------------------------------------------------------------------- main

JOBS=$(nproc)
((JOBS <= 8)) || JOBS=8
TEST_FILTER=()
RELEASE_LABELS=()
MYSQL9_TREE=
install=1
steps=("${ALL_STEPS[@]}")
tidy=0
soak=0
packages=0
hosts=0
bench=0

# Checks a list of steps given with option $1, prints one a line.
split_steps() {
  local step known
  known=" ${ALL_STEPS[*]} "
  for step in ${2//,/ }; do
    [[ $known == *" $step "* ]] || usage_error "$1: there is no step '$step' (${ALL_STEPS[*]})"
    echo "$step"
  done
}

skip_steps() {
  local kept=() step unwanted
  unwanted=" $* "
  for step in "${steps[@]}"; do [[ $unwanted == *" $step "* ]] || kept+=("$step"); done
  steps=("${kept[@]}")
}

for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --only=*)
      list=$(split_steps --only "${argument#*=}") || exit 2
      mapfile -t steps <<<"$list"
      tidy=1 soak=1 packages=1 hosts=1 bench=1
      ;;
    --skip=*)
      list=$(split_steps --skip "${argument#*=}") || exit 2
      # shellcheck disable=SC2086  # one word for each step
      skip_steps $list
      ;;
    --tidy) tidy=1 ;;
    --soak) soak=1 ;;
    --packages) packages=1 ;;
    --hosts) hosts=1 ;;
    --bench) bench=1 ;;
    --quick)
      skip_steps asan tsan fuzz tidy
      RELEASE_LABELS=(-L 'unit|component')
      ;;
    --tests=*) TEST_FILTER=(-R "${argument#*=}") ;;
    --mysql9) MYSQL9_TREE=$PWD/build/mysql9 ;;
    --mysql9=?*) MYSQL9_TREE=$(realpath -m -- "${argument#*=}") ;;
    --jobs=*)
      JOBS=${argument#*=}
      [[ $JOBS =~ ^[1-9][0-9]*$ ]] || usage_error "--jobs must be a number from 1, not '$JOBS'"
      ;;
    --no-install) install=0 ;;
    *) usage_error "unknown option '$argument'" ;;
  esac
done

((tidy)) || skip_steps tidy
((soak)) || skip_steps soak
((packages)) || skip_steps packages
((hosts)) || skip_steps hosts
((bench)) || skip_steps bench

begin=$EPOCHREALTIME
mkdir -p "$LOGS"
if ((install)); then
  headline "packages"
  groups=(build database test)
  [[ -z $MYSQL9_TREE ]] || groups+=(mysql9)
  [[ " ${steps[*]} " != *' packages '* ]] || groups+=(package package-test)
  [[ " ${steps[*]} " != *' bench '* ]] || groups+=(bench)
  [[ " ${steps[*]} " != *' hosts '* ]] || groups+=(hosts package)
  if ! ./deploy/install-packages.sh "${groups[@]}"; then
    printf 'FAILED packages\n0 passed, 1 failed\n'
    exit 1
  fi
fi

[[ -z $MYSQL9_TREE ]] || provide_mysql9
for step in "${steps[@]}"; do "step_$step"; done

headline "result ($(seconds_since "$begin"))"
for failure in "${failures[@]}"; do printf 'failed: %s\n' "$failure"; done
if ((skipped > 0)); then
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
else
  printf '%d passed, %d failed\n' "$passed" "$failed"
fi
((failed == 0 && passed > 0))
