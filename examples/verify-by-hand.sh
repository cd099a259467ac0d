#!/bin/sh
# Verifies a proof bundle with sha256sum, openssl, base64 and jq, without any code of Avow:
#
#   sh verify-by-hand.sh proof.json 'avow.example/log+a1b2c3d4+AbCd…'
#
# Each step follows a standard. The output of jq is the canonical form of a record (RFC 8785) if its texts contain
# no U+007F and its numbers are integers. Both hold for consents.
set -eu
[ $# -eq 2 ] || { echo "Usage: sh $0 BUNDLE LOG_KEY" >&2; exit 2; }
bundle=$1 key=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

member() { jq -j "$1" "$bundle"; }
sha256() { openssl dgst -sha256 -binary; }
fail() { echo "FAILS: $1" >&2; exit 1; }

# 1. The entry: SHA-256 of the salt and the record, padded with spaces to a multiple of 256 bytes.
member .consent.salt | base64 -d > "$work/entry"
jq -cjS .consent.record "$bundle" > "$work/record"
length=$(wc -c < "$work/record")
cat "$work/record" >> "$work/entry"
head -c $(((length + 255) / 256 * 256 - length)) /dev/zero | tr '\0' ' ' >> "$work/entry"
echo "entry      $(sha256sum < "$work/entry" | cut -c 1-64)"

# 2. The leaf: SHA-256 of a zero byte and the entry (RFC 9162, section 2.1.1).
{ printf '\0'; sha256 < "$work/entry"; } | sha256 > "$work/node"

# 3. The root, computed from the inclusion path (RFC 9162, section 2.1.3.2). The proof is a text: the index, the
#    hashes of the path, an empty line, and the checkpoint (the log's name, size, root hash and signatures).
member .consent.proof > "$work/proof"
sed '1,/^$/d' "$work/proof" > "$work/checkpoint"
index=$(sed -n '2s/^index //p' "$work/proof")
size=$(sed -n 2p "$work/checkpoint")
left=$index last=$((size - 1))
for hash in $(sed -n '3,/^$/p' "$work/proof"); do
  [ "$last" -gt 0 ] || fail "the path is too long"
  echo "$hash" | base64 -d > "$work/beside"
  if [ $((left % 2)) -eq 1 ] || [ "$left" -eq "$last" ]; then
    { printf '\1'; cat "$work/beside" "$work/node"; } | sha256 > "$work/above"
    while [ $((left % 2)) -eq 0 ] && [ "$left" -gt 0 ]; do left=$((left / 2)) last=$((last / 2)); done
  else
    { printf '\1'; cat "$work/node" "$work/beside"; } | sha256 > "$work/above"
  fi
  mv "$work/above" "$work/node"
  left=$((left / 2)) last=$((last / 2))
done
root=$(base64 -w 0 < "$work/node")
echo "index      $index of $size"
echo "root       $root"
[ "$last" -eq 0 ] || fail "the path is too short"
[ "$root" = "$(sed -n 3p "$work/checkpoint")" ] || fail "the checkpoint has another root"

# 4. The signature of the checkpoint's text by the key that you trust (C2SP signed-note): a line with the name
#    of the key, its id of four bytes, and the 64 bytes of an Ed25519 signature.
name=${key%%+*}
sed '/^$/,$d' "$work/checkpoint" > "$work/text"
[ "$(sed -n 1p "$work/text")" = "$name" ] || fail "the log is not $name"
printf '\60\52\60\5\6\3\53\145\160\3\41\0' > "$work/key"          # an Ed25519 key follows (RFC 8410)
echo "${key#*+*+}" | base64 -d | tail -c 32 >> "$work/key"
isSigned=no
for line in $(grep -F "— $name " "$work/checkpoint" | sed 's/.* //'); do
  echo "$line" | base64 -d | tail -c 64 > "$work/signature"
  openssl pkeyutl -verify -pubin -keyform DER -inkey "$work/key" -rawin -in "$work/text" \
    -sigfile "$work/signature" > "$work/output" 2>&1 && isSigned=yes
done
[ "$isSigned" = yes ] || fail "the key did not sign the checkpoint"
echo "signed by  $name"

# 5. The displayed texts: the published file has the hash that is in the record.
shown=$(member '.consent.record.publication // empty')
if [ -n "$shown" ]; then
  [ "$(member .publication.content | sha256sum | cut -c 1-64)" = "$shown" ] || fail "the published file is not the one in the record"
  echo "shown      $shown"
fi
echo "HOLDS: the record is in the log, unchanged since this checkpoint was signed."
