#!/bin/sh
# Writes the secrets of the compose files to ./secrets. Existing ones are kept: their values are in the database already.
# Keep a copy elsewhere. Without it, a backup cannot be used: it does not contain the keys.
set -eu
cd "$(dirname "$0")"
# Other users cannot enter the folder. The users of the containers can read the files, which are mounted one by one.
mkdir -p secrets
chmod 700 secrets
umask 022

write() {
  [ -e "secrets/$1" ] || cat >"secrets/$1"
}
random() {
  head -c 32 /dev/urandom
}

random | od -An -v -tx1 | tr -d ' \n' | write database_password
random | od -An -v -tx1 | tr -d ' \n' | write secret_key
random | base64 | write log_keys
password=$(cat secrets/database_password)
echo "postgresql://avow:$password@database:5432/avow" | write database_url
echo "postgresql://avow:$password@pgbouncer:6432/avow" | write pooled_database_url
echo "\"avow\" \"$password\"" | write pgbouncer_users
