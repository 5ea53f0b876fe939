#!/usr/bin/env bash
# Runs pet-mocks behind nginx until you press Ctrl+C.
#   ./start.sh                      two replicas, on the ports 7401 and 7402; nginx on 7387
#   PORT=8080 ./start.sh 9001 9002 9003
# STATE=FOLDER keeps the state of each replica in a file there. FLAGS are flags of pet-mock, such as "--scenario pro-plan".
set -euo pipefail
cd "$(dirname "$0")"
port=${PORT:-7387}
replicas=("$@")
[ $# -gt 0 ] || replicas=(7401 7402)

run=$(mktemp -d)
finish() {
  trap - EXIT INT TERM
  kill $(jobs -p) 2>/dev/null || true
  wait
  rm -rf "$run"
}
trap finish EXIT
trap 'exit 0' INT TERM

cp nginx.conf "$run"
echo "listen 127.0.0.1:$port;" >"$run/listen.conf"
for replica in "${replicas[@]}"; do
  echo "server 127.0.0.1:$replica max_fails=1 fail_timeout=1s;" >>"$run/replicas.conf"
  # FLAGS are several words.
  # shellcheck disable=SC2086
  node_modules/.bin/pet-mock --port "$replica" --trust-proxy --log-format silent \
    ${STATE:+--state "$STATE/$replica.json"} ${FLAGS:-} &
done
# nginx treats a replica that does not listen yet as dead.
for replica in "${replicas[@]}"; do
  until (: >"/dev/tcp/127.0.0.1/$replica") 2>/dev/null; do sleep 0.1; done
done
nginx -p "$run" -c "$run/nginx.conf" &
echo "One address for ${#replicas[@]} replicas: http://127.0.0.1:$port/v1"
wait
