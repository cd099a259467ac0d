#!/bin/sh
# Verifies a webhook by hand, with openssl (3.0 or newer) only:
#   sh verify-webhook.sh BODY-FILE WEBHOOK-ID WEBHOOK-TIMESTAMP WEBHOOK-SIGNATURE KEY
# BODY-FILE is the body as received, the next three arguments are the headers of these names, and KEY is the
# webhook's secret (whsec_…) or its publicKey (whpk_…), which is not secret. Other users of this machine can
# see KEY while the script runs.
set -eu
[ $# -eq 5 ] || { sed -n '2,6s/^# //p' "$0" >&2; exit 2; }
body=$1 id=$2 time=$3 signatures=$4 key=$5
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

fail() {
  echo "FAILS: $1" >&2
  exit 1
}

# The signed content: id.timestamp.body
{ printf '%s.%s.' "$id" "$time"; cat "$body"; } > "$folder/signed"

case $key in
  whsec_*)
    hex=$(printf %s "${key#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
    mine=$(openssl dgst -sha256 -mac HMAC -macopt "hexkey:$hex" -binary "$folder/signed" | openssl base64 -A)
    case " $signatures " in
      *" v1,$mine "*) ;;
      *) fail "no signature matches this secret" ;;
    esac
    ;;
  whpk_*)
    # The DER prefix of an Ed25519 public key of 32 bytes (RFC 8410).
    printf '\060\052\060\005\006\003\053\145\160\003\041\000' > "$folder/key"
    printf %s "${key#whpk_}" | openssl base64 -d -A >> "$folder/key"
    # During a key rotation the previous key signs too, so one matching signature is enough.
    holds=
    for signature in $(printf %s "$signatures" | tr ' ' '\n' | sed -n 's/^v1a,//p'); do
      printf %s "$signature" | openssl base64 -d -A > "$folder/signature"
      openssl pkeyutl -verify -pubin -keyform DER -inkey "$folder/key" -rawin -in "$folder/signed" \
        -sigfile "$folder/signature" > "$folder/output" 2>&1 && holds=yes
    done
    [ "$holds" ] || fail "no signature matches this key"
    ;;
  *) fail "KEY must begin with whsec_ or whpk_" ;;
esac

age=$(($(date +%s) - time))
if [ "$age" -gt 300 ] || [ "$age" -lt -300 ]; then
  fail "the signature is valid, but the timestamp is $age seconds before the present time (limit: 300)"
fi
echo "HOLDS: signed $age seconds ago"
