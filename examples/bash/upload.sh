#!/usr/bin/env bash
# Uploads a file with bash, curl and openssl. See README.md beside this folder.
#   upload.sh FILE CATEGORY   CATEGORY is a code, as 8 for an invoice; reads PORTICO_URL, PORTICO_KEY_ID and PORTICO_SECRET
set -euo pipefail
export LC_ALL=C # one character a byte

fail() { printf '%s\n' "$1" >&2; exit 1; }
sha256() { openssl dgst -sha256 -r | cut -d' ' -f1; }

# HMAC-SHA256 of standard input, without the secret in the process list: see transfers.sh.
hmac() { # secret
  local i byte inner='' outer='' piece
  for ((i = 0; i < 64; i++)); do
    if ((i < ${#1})); then printf -v byte %d "'${1:i:1}"; else byte=0; fi
    printf -v piece '\\x%02x' $((byte ^ 0x36)); inner+=$piece
    printf -v piece '\\x%02x' $((byte ^ 0x5c)); outer+=$piece
  done
  { printf %b "$outer"; { printf %b "$inner"; cat; } | openssl dgst -sha256 -binary; } | sha256
}

encode() { # text
  local i char
  for ((i = 0; i < ${#1}; i++)); do
    char=${1:i:1}
    case $char in
      [A-Za-z0-9._~-]) printf %s "$char" ;;
      *) printf %s "$char" | od -An -tx1 | tr a-f A-F | tr -d ' \n' | sed 's/../%&/g' ;;
    esac
  done
}

: "${PORTICO_URL:?set PORTICO_URL}" "${PORTICO_KEY_ID:?set PORTICO_KEY_ID}" "${PORTICO_SECRET:?set PORTICO_SECRET}"
file=${1:?the file is missing} category=${2:?the code of its category is missing}
[[ -r $file ]] || fail "$file cannot be read"

# Names in alphabetical order and values encoded as they are signed: nothing is left to make canonical.
path=/api/v1/files query="fileCategory=$category&filename=$(encode "${file##*/}")"
timestamp=$(date +%s)
nonce=$(openssl rand -hex 16 | sed -E 's/(.{8})(.{4})(.{4})(.{4})/\1-\2-\3-\4-/')
hash=$(sha256 <"$file") # signed, so that the bytes can be sent as they are read
signature=$(printf 'PORTICO1-HMAC-SHA256\nPOST\n%s\n%s\n%s\n%s\n%s\n%s' \
  "$path" "$query" "$timestamp" "$nonce" "$PORTICO_KEY_ID" "$hash" | hmac "$PORTICO_SECRET")

curl -sS --fail-with-body -T "$file" -X POST "$PORTICO_URL$path?$query" \
  -H "X-Api-Key: $PORTICO_KEY_ID" -H "X-Signature: $signature" -H "X-Timestamp: $timestamp" -H "X-Nonce: $nonce" \
  -H "X-Content-Sha256: $hash" -H "Idempotency-Key: $hash" -H 'Content-Type: application/octet-stream'
