import { parseArgs } from 'node:util';

export interface Options {
  readonly json: boolean;
  readonly help: boolean;
  /** File to write fresh settings to. */
  readonly init?: string | undefined;
  /** Folder of a Redis of its own. */
  readonly 'redis-dir'?: string | undefined;
}

export const USAGE = `pushfleet serve [--json] [--redis-dir DIR | --init FILE]

Runs the whole fleet in one process: push API, dispatcher, workers of all channels, gateway, console and user-info, on the Redis
of REDIS_URL. Settings are environment variables (docs/configuration.md); ROLES and CHANNEL name parts of it.

  --redis-dir DIR  keep a Redis in DIR, with an append-only file, for this process alone; REDIS_URL is not used then
  --init FILE      write settings with fresh secrets to FILE, readable by you alone, and leave; a file that is there is not touched
  --json           when everything serves, one line on standard output: {ok, pid, urls}; the log goes to standard error
  -h, --help       show this

SIGTERM and SIGINT let it end what it holds, and leave with 0.
`;

/** Throws a `TypeError` for what is no option. */
export function readOptions(argv: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const help = { ...flag, short: 'h' };
  const { values } = parseArgs({ args: [...argv], options: { json: flag, help, init: text, 'redis-dir': text } });
  for (const name of ['init', 'redis-dir'] as const)
    if (values[name]?.trim() === '')
      throw new TypeError(`--${name} must name a ${name === 'init' ? 'file' : 'folder'}`);
  if (values.init !== undefined && values['redis-dir'] !== undefined)
    throw new TypeError('--init leaves and starts no Redis; give --redis-dir to what serves');
  return values;
}
