#!/usr/bin/env bash
# Gather as a shell does it: two curls at once, jq for the rest.
#
#   gather.sh BASE_URL UID SESSION_ID
set -euo pipefail
token=$(printf '%s%s' "$2" "$3" | md5sum)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
curl -sf "$1/relation/detail" -d "uid=$2&session_id=$3&token=${token%% *}" -o "$folder/detail" &
detail=$!
curl -sf "$1/relation/reward" -d "" -o "$folder/reward" &
wait "$!"
wait "$detail"
jq -c -s 'map(select(.code == "200").data.relation) | add | sort_by(.createTime)' "$folder/detail" "$folder/reward"
