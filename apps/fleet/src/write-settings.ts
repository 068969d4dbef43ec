import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError } from '@pushfleet/service-kit';

const settings = (): string => `# Settings of pushfleet; docs/configuration.md has all of them.

# Keep it: without it nobody can read the keys and credentials in Redis again.
SECRET_KEY=${randomBytes(32).toString('base64')}

# Whoever has it may do everything in the console.
ADMIN_TOKEN=${randomBytes(24).toString('hex')}

# It must keep what it is told: appendonly yes, maxmemory-policy noeviction.
REDIS_URL=redis://127.0.0.1:6379

# Senders, vendors and devices come to one address. Where they reach it, through the proxy that has its certificate:
INGRESS_PORT=8080
GATEWAY_PORT=8080
#INGRESS_PUBLIC_URL=https://push.example.com
#TRUSTED_PROXY_HOPS=1

# Or without a proxy, with a certificate of its own:
#TLS_CERT_FILE=/etc/letsencrypt/live/push.example.com/fullchain.pem
#TLS_KEY_FILE=/etc/letsencrypt/live/push.example.com/privkey.pem
`;

/** Resolves with what to do next. Throws a `ConfigError` where the file cannot be made, and never touches one that is there. */
export function writeSettings(file: string): string {
  try {
    writeFileSync(file, settings(), { flag: 'wx', mode: 0o600 });
  } catch (cause) {
    throw new ConfigError([`--init: ${file} ${problemOf((cause as NodeJS.ErrnoException).code)}`], { cause });
  }
  const quoted = `'${resolve(file).replaceAll("'", String.raw`'\''`)}'`;
  return `Wrote ${file}: keep it, and look at REDIS_URL in it. Then:

  set -a; . ${quoted}; set +a
  npx pushfleet serve
  npx pushfleet apps create "My app" --edition commercial      # in another terminal, after the first line
`;
}

function problemOf(code = 'unknown error'): string {
  if (code === 'EEXIST') return 'is there already and was left as it is; name another file';
  if (code === 'ENOENT') return 'cannot be written: its folder is not there; make it first';
  return `cannot be written (${code}); name another file`;
}
