#!/usr/bin/env bash
# Answers one webhook: the request on standard input, the answer on standard output, the event on standard error. See README.md
# beside this folder. bash opens no port: let something do it that starts a program for each connection, as
#   socat TCP-LISTEN:3000,bind=127.0.0.1,reuseaddr,fork EXEC:'bash receive.sh'
#   receive.sh                 reads PORTICO_WEBHOOK_SECRET (two during a rotation, a blank between)
#   receive.sh --vectors FILE  checks this code against docs/webhook-vectors.json
set -euo pipefail -o noglob # an asterisk in a header is no file name
export LC_ALL=C # one character a byte

tolerance_seconds=300

# HMAC-SHA256 of standard input in base64, without the key in the process list: see transfers.sh. Keys up to 64 bytes, in hexadecimal.
hmac() { # key
  local i byte inner='' outer='' piece
  for ((i = 0; i < 128; i += 2)); do
    byte=$((16#0${1:i:2}))
    printf -v piece '\\x%02x' $((byte ^ 0x36)); inner+=$piece
    printf -v piece '\\x%02x' $((byte ^ 0x5c)); outer+=$piece
  done
  { printf %b "$outer"; { printf %b "$inner"; cat; } | openssl dgst -sha256 -binary; } |
    openssl dgst -sha256 -binary | openssl base64 -A
}

hex() { od -An -v -tx1 | tr -d ' \n'; }

# What is wrong with it, or nothing. The body is a file, as it came.
refusal() { # secrets id timestamp signature file now
  local secret key right given mask
  if [[ -z $2 || -z $3 || -z $4 ]]; then echo 'a header is missing'; return; fi
  if [[ ! $3 =~ ^[0-9]{1,12}$ ]]; then echo 'the timestamp is no number of seconds'; return; fi
  if ((10#$3 - $6 > tolerance_seconds || $6 - 10#$3 > tolerance_seconds)); then echo 'too old, or a clock is wrong'; return; fi
  mask=$(openssl rand -hex 32) # what is compared is hashed with it, so that the time it takes tells nothing
  for secret in $1; do
    key=$(printf %s "${secret#whsec_}" | openssl base64 -d -A | hex)
    right=$({ printf '%s.%s.' "$2" "$3"; cat "$5"; } | hmac "$key")
    right=$(printf 'v1,%s' "$right" | hmac "$mask")
    for given in $4; do
      if [[ $(printf %s "$given" | hmac "$mask") == "$right" ]]; then return; fi
    done
  done
  echo 'the signature is wrong'
}

receive() { # file for the body
  local line name length=0 id='' timestamp='' signature='' wrong
  read -r line # POST /hooks HTTP/1.1
  while IFS= read -r line && line=${line%$'\r'} && [[ -n $line ]]; do
    name=${line%%:*} line=${line#*:} line=${line# }
    case ${name,,} in
      content-length) length=$line ;;
      webhook-id) id=$line ;;
      webhook-timestamp) timestamp=$line ;;
      webhook-signature) signature=$line ;;
    esac
  done
  if [[ ! $length =~ ^[0-9]{1,7}$ ]]; then length=0; fi
  head -c "$length" >"$1"
  wrong=$(refusal "$PORTICO_WEBHOOK_SECRET" "$id" "$timestamp" "$signature" "$1" "$(date +%s)")
  # 2xx: it arrived. Answer at once and work afterwards; what comes twice has the same webhook-id.
  if [[ -n $wrong ]]; then printf 'HTTP/1.1 400 Bad Request\r\n'; else printf 'HTTP/1.1 204 No Content\r\n'; fi
  printf 'content-length: 0\r\nconnection: close\r\n\r\n'
  if [[ -n $wrong ]]; then printf 'refused: %s\n' "$wrong" >&2; else { cat "$1"; echo; } >&2; fi
}

# Reads the file line by line, as `npm run vectors` writes it: one member a line.
check_vectors() { # file, and one for the body
  local line name='' secrets='' now='' id='' timestamp='' signature='' body='' expected='' wrong total=0 right=0
  while IFS= read -r line; do
    if [[ ! $line =~ ^\ {6}\"([a-z]+)\":\ \"(.*)\",?$ ]]; then continue; fi
    printf -v "${BASH_REMATCH[1]}" %b "${BASH_REMATCH[2]//\\\"/\"}"
    if [[ ${BASH_REMATCH[1]} != expected ]]; then continue; fi # the last member of a vector
    printf %s "$body" >"$2"
    wrong=$(refusal "$secrets" "$id" "$timestamp" "$signature" "$2" "$now")
    total=$((total + 1))
    if [[ (-z $wrong && $expected == valid) || (-n $wrong && $expected != valid) ]]; then right=$((right + 1)); else printf 'wrong: %s\n' "$name" >&2; fi
  done <"$1"
  printf '%s of %s vectors hold\n' "$right" "$total"
  ((total > 0 && right == total))
}

body_file=$(mktemp)
trap 'rm -f "$body_file"' EXIT
if [[ ${1-} == --vectors ]]; then check_vectors "$2" "$body_file"; exit; fi
if [[ -z ${PORTICO_WEBHOOK_SECRET-} ]]; then echo 'set PORTICO_WEBHOOK_SECRET' >&2; exit 1; fi
receive "$body_file"
