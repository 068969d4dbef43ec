import type { Command } from 'commander';
import { UsageError } from '../errors';
import type { Io } from '../io';
import { fields } from '../output/table';
import { appWithKeysSchema, KEYS, replacedOf } from './app-schemas';
import { APP } from './arguments';
import { addCall, type CommonOptions } from './command';
import { duration } from './option-values';

export function addKeyCommands(apps: Command, io: Io): void {
  addRotateKey(apps, io);
  addRevokeKey(apps, io);
}

type KeyOfApp = (typeof KEYS)[number];

const WHICH = ['<which>', 'key or masterKey'] as const;

function whichKey(text: string): KeyOfApp {
  const which = KEYS.find((key) => key === text);
  if (which === undefined) throw new UsageError('which: must be key or masterKey');
  return which;
}

interface RotateOptions extends CommonOptions {
  readonly keepOld?: number;
  readonly revokeNow?: true;
}

function addRotateKey(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'rotate-key',
    summary: 'replace a key of an app; the old one is taken beside it for a day, or as long as you say',
    examples: [
      'apps rotate-key APP_ID masterKey',
      'apps rotate-key APP_ID key --keep-old 7d',
      'apps rotate-key APP_ID masterKey --revoke-now      # it has become known',
    ],
    args: [APP, WHICH],
    request: ([app, which], { keepOld, revokeNow }: RotateOptions) => {
      if (keepOld !== undefined && revokeNow) throw new UsageError('give --keep-old or --revoke-now');
      return ['POST', ['apps', app, 'keys'], { body: { which: whichKey(which), keepOldMs: revokeNow ? 0 : keepOld } }];
    },
    schema: appWithKeysSchema,
    toText: (rotated, [, which]) => fields([[which, rotated[whichKey(which)]], ...replacedOf(rotated)]),
  })
    .option('--keep-old <time>', 'how long the old key is taken, such as 24h or 7d', duration)
    .option('--revoke-now', 'refuse the old key at once');
}

function addRevokeKey(apps: Command, io: Io): void {
  addCall(apps, io, {
    name: 'revoke-old-key',
    summary: 'refuse a key that was replaced from now on, before its time',
    examples: ['apps revoke-old-key APP_ID masterKey'],
    args: [APP, WHICH],
    request: ([app, which]) => ['DELETE', ['apps', app, 'replaced-keys', whichKey(which)]],
    schema: appWithKeysSchema,
    toText: (_, [app, which]) => `the old ${which} of ${app} is refused\n`,
  });
}
