#!/bin/sh
# A loop around curl. The words are those of client.mjs.
set -eu
accepted=0 early=0 pause=0 calls=same end=stops
for word in "$@"; do
  case $word in
    accepted=* | early=* | pause=* | calls=* | end=*) eval "$word" ;;
  esac
done

now() { date +%s%3N; }
rest() { sleep "$(($1 / 1000)).$(printf %03d $(($1 % 1000)))"; }
# Sets $status and $wait, in seconds.
send() {
  sent=$(now)
  head=$(curl --silent --show-error --noproxy '*' --output /dev/null --dump-header - \
    --header "Authorization: Bearer $PET_MOCK_KEY" "$PET_MOCK_URL$1" | tr -d '\r')
  status=$(echo "$head" | sed -n '1s/^[^ ]* \([0-9]*\).*/\1/p')
  wait=$(echo "$head" | sed -n 's/^[Rr]etry-[Aa]fter: *//p')
  echo "$sent-$(now) $status $1"
}

echo ready
cat >/dev/null
made=0
while [ $made -lt "$accepted" ]; do
  send /pets
  made=$((made + 1))
done
send /pets
[ "$status" = 429 ] || { echo 'no call was refused' >&2; exit 3; }
over=$(($(now) + wait * 1000))
made=0
while [ $made -lt "$early" ]; do
  rest "$pause"
  made=$((made + 1))
  if [ "$calls" = same ]; then send /pets; else send "/pets/$made"; fi
  [ "$status" = 429 ] || { echo 'the wait was over before the early calls' >&2; exit 3; }
done
if [ "$end" = returns ]; then
  left=$((over - $(now)))
  [ $left -le 0 ] || rest $left
  send /pets
fi
