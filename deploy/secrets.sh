#!/bin/sh
# Creates the passwords that compose.yaml mounts as files. Existing ones are kept.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 700 secrets # only this user and the containers' users can read the files in it
new() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
[ -e secrets/postgres_password ] || new >secrets/postgres_password
if [ ! -e secrets/minirag_chat_postgres ]; then
  new >secrets/chats_password
  printf 'postgresql://chats:%s@postgres/chats' "$(cat secrets/chats_password)" >secrets/minirag_chat_postgres
fi
chmod 644 secrets/*
