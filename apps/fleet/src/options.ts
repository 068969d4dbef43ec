import { parseArgs } from 'node:util';

export interface Options {
  readonly json: boolean;
  readonly help: boolean;
  /** File to write fresh settings to. */
  readonly init?: string | undefined;
}

export const USAGE = `pushfleet serve [--json] [--init FILE]

Runs the whole fleet in one process: push API, dispatcher, workers of all channels, gateway, console and user-info, on the Redis
of REDIS_URL. Settings are environment variables (docs/configuration.md); ROLES and CHANNEL name parts of it.

  --init FILE  write settings with fresh secrets to FILE, readable by you alone, and leave; a file that is there is not touched
  --json       when everything serves, one line on standard output: {ok, pid, urls}; the log goes to standard error
  --help       show this

SIGTERM and SIGINT let it end what it holds, and leave with 0.
`;

/** Throws a `TypeError` for what is no option. */
export function readOptions(argv: readonly string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({ args: [...argv], options: { json: flag, help: flag, init: { type: 'string' } } });
  return values;
}
