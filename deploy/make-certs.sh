#!/usr/bin/env bash
# Makes what TLS between dslap and its agents needs: an authority of your own, a certificate for each
# agent's host, and one for controllers.
set -euo pipefail

readonly CA_DAYS=3650 LEAF_DAYS=397

usage() {
  cat <<USAGE
usage: ${0##*/} [--days=N] [--renew] DIR HOST...

Makes in DIR (created if need be, readable by its owner only):
  ca.pem, ca.key                  the authority; made once and kept, valid for 10 years
  HOST/agent.pem, HOST/agent.key  for the agent on that host, valid for 397 days
  controller.pem, controller.key  for dslap, the same; made once and kept unless --renew is given

HOST is what controllers write in --agents: a name or an IP address. Several that stand for the same
host are joined by commas: load-a,load-a.example,10.0.0.7. The directory bears the first of them.
Those that exist are made anew: that is how certificates are renewed.

Options:
  --days=N   validity of the certificates of hosts and controllers
  --renew    make the controllers' certificate anew, too
  --help     this text

Then, on each agent's host (HOST/* and ca.pem copied there; ca.key stays here, and is the one file
to guard: whoever has it can make certificates that every agent trusts):
  dslap-agent --listen=0.0.0.0:7527 --tls-ca=ca.pem --tls-cert=agent.pem --tls-key=agent.key
and where dslap runs:
  dslap --agents=HOST,... --tls-ca=ca.pem --tls-cert=controller.pem --tls-key=controller.key ...
USAGE
}

# Installed, it is dslap-make-certs.
fail() { printf '%s: %s\n' "${0##*/}" "$1" >&2; exit "${2:-1}"; }

quietly() {
  local output
  output=$("$@" 2>&1) || fail "$(printf '%s failed:\n%s' "$1 $2" "$output")"
}

new_key() { quietly openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"; }

make_ca() {
  new_key ca.key.new
  quietly openssl req -x509 -new -key ca.key.new -sha256 -days "$CA_DAYS" -subj "/CN=dslap authority" \
    -addext "basicConstraints=critical,CA:TRUE,pathlen:0" \
    -addext "keyUsage=critical,keyCertSign,cRLSign" -out ca.pem.new
  mv ca.key.new ca.key
  mv ca.pem.new ca.pem
}

# sign NAME USE ALTERNATIVE-NAMES TARGET: TARGET.pem and TARGET.key, both there or both as before.
sign() {
  local name=$1 use=$2 alternatives=$3 target=$4 extensions
  extensions=$(printf 'basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\n')
  extensions+=$(printf '\nextendedKeyUsage=%s\n' "$use")
  [[ -z $alternatives ]] || extensions+=$(printf '\nsubjectAltName=%s\n' "$alternatives")
  new_key "$target.key.new"
  quietly openssl req -new -key "$target.key.new" -subj "/CN=${name:0:64}" -out "$target.csr"
  quietly openssl x509 -req -in "$target.csr" -CA ca.pem -CAkey ca.key -sha256 -days "$days" \
    -set_serial "0x$(openssl rand -hex 16)" -extfile <(printf '%s\n' "$extensions") \
    -out "$target.pem.new"
  rm -f "$target.csr"
  mv "$target.key.new" "$target.key"
  mv "$target.pem.new" "$target.pem"
}

is_address() { [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$ || $1 == *:* ]]; }

# alternative_names HOST[,HOST...]
alternative_names() {
  local each result=
  for each in ${1//,/ }; do
    if is_address "$each"; then each=IP:$each; else each=DNS:$each; fi
    result+=${result:+,}$each
  done
  echo "$result"
}

days=$LEAF_DAYS
renew=0
operands=()
for argument in "$@"; do
  case $argument in
    --help) usage; exit 0 ;;
    --renew) renew=1 ;;
    --days=*)
      days=${argument#*=}
      [[ $days =~ ^[1-9][0-9]{0,3}$ ]] || fail "--days: give a number from 1 to 9999, not '$days'" 2
      ;;
    -*) fail "unknown option '$argument': see --help" 2 ;;
    *) operands+=("$argument") ;;
  esac
done
((${#operands[@]} >= 2)) || fail "give a directory and at least one host: see --help" 2
for host in "${operands[@]:1}"; do
  [[ $host =~ ^[A-Za-z0-9*][A-Za-z0-9.:,*_-]*$ ]] ||
    fail "'$host' is no host: give a name or an address, several of one host joined by commas" 2
done
command -v openssl >/dev/null || fail "openssl is missing: apt-get install openssl"

umask 077
mkdir -p -- "${operands[0]}"
cd -- "${operands[0]}"

if [[ -e ca.key && -e ca.pem ]]; then
  echo "ca.pem: kept"
elif [[ -e ca.key || -e ca.pem ]]; then
  fail "of ca.pem and ca.key only one is in ${operands[0]}: put the other there, or use an empty directory"
else
  make_ca
  echo "ca.pem: made"
fi
for host in "${operands[@]:1}"; do
  first=${host%%,*}
  mkdir -p -- "$first"
  sign "$first" serverAuth "$(alternative_names "$host")" "$first/agent"
  cp ca.pem "$first/ca.pem"
  echo "$first/agent.pem: made, for $host, $days days"
done
if [[ -e controller.pem && -e controller.key && $renew == 0 ]]; then
  echo "controller.pem: kept"
else
  sign "dslap controller" clientAuth "" controller
  echo "controller.pem: made, $days days"
fi
