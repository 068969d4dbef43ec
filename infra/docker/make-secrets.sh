#!/bin/sh
# Makes the secrets that docker-compose.yml names and that are not there yet, in the folder SECRETS_DIR, else ./secrets. What
# the environment or an .env of this folder still holds is taken over.
set -eu

known() { # the value of a variable, as docker compose would find it
  eval "value=\${$1:-}"
  [ -n "$value" ] || [ ! -f .env ] || value=$(
    sed -n "s/^[[:space:]]*\(export[[:space:]]\{1,\}\)\{0,1\}$1[[:space:]]*=[[:space:]]*//p" .env | tail -n 1 |
      sed -e 's/^"\([^"]*\)".*/\1/;t' -e "s/^'\([^']*\)'.*/\1/;t" -e 's/[[:space:]]\{1,\}#.*//' -e 's/[[:space:]]*$//'
  )
  printf '%s\n' "$value"
}

folder=$(known SECRETS_DIR)
folder=${folder:-./secrets}
mkdir -p "$folder"
chmod 700 "$folder"

make() { # name, variable, what is made up where there was none
  [ ! -e "$folder/$1" ] || return 0
  value=$(known "$2")
  [ -n "$value" ] || value=$($3)
  printf '%s\n' "$value" > "$folder/$1.new"
  chmod 644 "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
  echo "made $folder/$1"
}

make secret_key SECRET_KEY "openssl rand -base64 32"
make secret_key_previous SECRET_KEY_PREVIOUS true
make admin_token ADMIN_TOKEN "openssl rand -hex 24"
make console_oidc_client_secret CONSOLE_OIDC_CLIENT_SECRET true
make redis_password REDIS_PASSWORD "openssl rand -hex 24"
