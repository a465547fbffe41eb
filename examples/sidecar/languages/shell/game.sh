#!/bin/sh
# A game that reports its state to a sidecar: sh game.sh http://127.0.0.1:7790

# report PLAYER... reports the whole state. The sidecar answers all queries with it.
# jq quotes the names.
report() {
	jq -n '{name: "Duel", map: "harbor", port: 25600, max: 16, roster: $ARGS.positional | map({name: .})}' \
		--args "$@" | curl -sS --fail-with-body --max-time 2 -X PUT --data @- "$url/v1/state"
}

url=$1
report 'Ann "Fox"'
sleep 1
report 'Ann "Fox"' Bob
sleep 1
report Bob
sleep 1
