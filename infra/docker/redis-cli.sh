#!/bin/sh
# redis-cli inside the container, for health checks and operators: the password stands in no environment.
REDISCLI_AUTH=$(cat /run/secrets/redis_password)
export REDISCLI_AUTH
exec /usr/local/bin/redis-cli "$@"
