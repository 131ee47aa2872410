#!/usr/bin/env bash
# Lists transfers page by page with bash, curl and openssl. See README.md beside this folder.
#   transfers.sh                 reads PORTICO_URL, PORTICO_KEY_ID and PORTICO_SECRET
#   transfers.sh --vectors FILE  checks this code against docs/signing-vectors.json
set -euo pipefail
export LC_ALL=C # one character a byte, and sorting by bytes

fail() { printf '%s\n' "$1" >&2; exit 1; }
sha256() { openssl dgst -sha256 -r | cut -d' ' -f1; }

# HMAC-SHA256 of standard input. `openssl dgst -hmac` takes the secret as an argument, where every user of the machine can
# read it in the process list. HMAC is two hashes, and printf is no process of its own. Keys up to 64 bytes.
hmac() { # secret
  local i byte inner='' outer='' piece
  for ((i = 0; i < 64; i++)); do
    if ((i < ${#1})); then printf -v byte %d "'${1:i:1}"; else byte=0; fi
    printf -v piece '\\x%02x' $((byte ^ 0x36)); inner+=$piece
    printf -v piece '\\x%02x' $((byte ^ 0x5c)); outer+=$piece
  done
  { printf %b "$outer"; { printf %b "$inner"; cat; } | openssl dgst -sha256 -binary; } | sha256
}

# + to space, %XX to bytes, then everything but A-Z a-z 0-9 - . _ ~ to upper-case %XX. An invalid % stands for itself.
encode() { # text; the answer is in $encoded
  local i char code text=${1//+/ }
  encoded=''
  for ((i = 0; i < ${#text}; i++)); do
    char=${text:i:1}
    printf -v code %d "'$char"
    if [[ $char == % && ${text:i+1:2} =~ ^[0-9A-Fa-f]{2}$ ]]; then
      printf -v char "\\x${text:i+1:2}"
      code=$((16#${text:i+1:2})) i=$((i + 2))
    fi
    if [[ $char != [A-Za-z0-9._~-] ]]; then printf -v char '%%%02X' $((code & 255)); fi
    encoded+=$char
  done
}

# Sorted by name alone; sort -s is stable, so a repeated name keeps its order.
canonical_query() { # query
  local piece name
  tr '&' '\n' <<<"$1" | while IFS= read -r piece; do
    if [[ $piece == '' ]]; then continue; fi
    if [[ $piece != *=* ]]; then piece+='='; fi
    encode "${piece%%=*}"; name=$encoded
    encode "${piece#*=}"
    printf '%s=%s\n' "$name" "$encoded"
  done | sort -s -t= -k1,1 | paste -s -d'&' -
}

string_to_sign() { # method path query timestamp nonce key-id body-hash
  printf 'PORTICO1-HMAC-SHA256\n%s\n%s\n%s\n%s\n%s\n%s\n%s' "$1" "$2" "$(canonical_query "$3")" "$4" "$5" "$6" "$7"
}

get() { # path query
  local time nonce signature status answer
  time=$(date +%s)
  nonce=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\1-\2-\3-\4-/') # a fresh one for every request
  signature=$(string_to_sign GET "$1" "$2" "$time" "$nonce" "$PORTICO_KEY_ID" "$(printf '' | sha256)" | hmac "$PORTICO_SECRET")
  answer=$(curl -sS -g -w '\n%{http_code}' "$PORTICO_URL$1?$2" -H "X-Api-Key: $PORTICO_KEY_ID" \
    -H "X-Timestamp: $time" -H "X-Nonce: $nonce" -H "X-Signature: $signature") || exit 1
  status=${answer##*$'\n'}
  if [[ $status != 200 ]]; then fail "$(sed -E 's/.*"code":"([^"]*)","message":"(.*)"\}$/\1: \2/;q' <<<"$answer")"; fi
  printf '%s' "$answer"
}

list_transfers() {
  local page=0 pages=1 answer
  for ((; page < pages; page++)); do
    answer=$(get /api/v1/transfers "page=$page&size=5&sort=status,asc&sort=amount,desc")
    pages=$(grep -oE '"totalPages":[0-9]+' <<<"$answer" | cut -d: -f2)
    # Good enough for these four fields; whoever needs more wants jq.
    grep -oE '"transferId":"[^"]*","amount":"[^"]*","currency":"[^"]*","status":"[^"]*"' <<<"$answer" |
      cut -d'"' -f4,8,12,16 | tr '"' ' ' || true # a page may be empty
  done
}

# Reads the file line by line, as `npm run vectors` writes it: one member a line.
check_vectors() { # file
  local line name='' stringToSign='' text hash total=0 right=0
  local secret='' method='' path='' query='' body='' bodyBase64='' timestamp='' nonce='' apiKeyId='' signature=''
  while IFS= read -r line; do
    if [[ ! $line =~ ^\ +\"([A-Za-z0-9]+)\":\ \"(.*)\",?$ ]]; then continue; fi
    if [[ ${BASH_REMATCH[1]} == name ]]; then body='' bodyBase64=''; fi
    printf -v "${BASH_REMATCH[1]}" %b "${BASH_REMATCH[2]//\\\"/\"}"
    if [[ ${BASH_REMATCH[1]} != signature ]]; then continue; fi # the last member of a vector
    hash=$({ printf %s "$body"; printf %s "$bodyBase64" | openssl base64 -d -A; } | sha256)
    text=$(string_to_sign "$method" "$path" "$query" "$timestamp" "$nonce" "$apiKeyId" "$hash")
    total=$((total + 1))
    # The canonical query is the fourth line of the text.
    [[ $text == "$stringToSign" && $(printf %s "$text" | hmac "$secret") == "$signature" ]] &&
      right=$((right + 1)) || printf 'wrong: %s\n' "$name" >&2
  done <"$1"
  printf '%s of %s vectors hold\n' "$right" "$total"
  ((total > 0 && right == total))
}

if [[ ${1-} == --vectors ]]; then check_vectors "$2"; exit; fi
for name in PORTICO_URL PORTICO_KEY_ID PORTICO_SECRET; do if [[ -z ${!name-} ]]; then fail "set $name"; fi; done
list_transfers
