#!/usr/bin/env bash
# Runs pet-mocks behind nginx until you press Ctrl+C.
#   ./start.sh                      two replicas, on the ports 7401 and 7402; nginx on 7387
#   PORT=8080 ./start.sh 9001 9002 9003
# STATE=FOLDER keeps the state of each replica in a file there. FLAGS are flags of pet-mock, such as "--scenario pro-plan".
set -euo pipefail
cd "$(dirname "$0")"
# Debian has nginx in a folder that only root's PATH names.
PATH=$PATH:/usr/sbin
port=${PORT:-7387}
replicas=("$@")
[ $# -gt 0 ] || replicas=(7401 7402)

fail() {
  echo "$1" >&2
  exit 1
}
listens() {
  (: >"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}
# until_listens PORT PROCESS: the process says itself why it ended.
until_listens() {
  until listens "$1"; do
    kill -0 "$2" 2>/dev/null || exit 1
    sleep 0.1
  done
}

command -v nginx >/dev/null || fail "nginx is not installed: https://nginx.org/en/docs/install.html"
for each in "$port" "${replicas[@]}"; do
  if listens "$each"; then fail "Port $each is in use."; fi
done

run=$(mktemp -d)
finish() {
  trap - EXIT INT TERM
  kill $(jobs -p) 2>/dev/null || true
  wait
  rm -rf "$run"
}
trap finish EXIT
trap 'exit 0' INT TERM

[ -z "${STATE:-}" ] || mkdir -p "$STATE"
processes=()
for replica in "${replicas[@]}"; do
  # FLAGS are several words.
  # shellcheck disable=SC2086
  node_modules/.bin/pet-mock --port "$replica" --trust-proxy --log-format silent \
    ${STATE:+--state "$STATE/$replica.json"} ${FLAGS:-} &
  processes+=($!)
done
# nginx treats a replica that does not listen yet as dead.
for index in "${!replicas[@]}"; do until_listens "${replicas[index]}" "${processes[index]}"; done

cp nginx.conf "$run"
echo "listen 127.0.0.1:$port;" >"$run/listen.conf"
printf 'server 127.0.0.1:%s max_fails=1 fail_timeout=1s;\n' "${replicas[@]}" >"$run/replicas.conf"
nginx -p "$run" -c "$run/nginx.conf" &
nginx=$!
until_listens "$port" "$nginx"
echo "One address for ${#replicas[@]} replicas: http://127.0.0.1:$port/v1"
# A replica may die. Without nginx, nothing is left to do.
wait "$nginx"
