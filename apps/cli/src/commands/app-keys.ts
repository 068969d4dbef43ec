import type { Command } from 'commander';
import type { z } from 'zod';
import { UsageError } from '../errors';
import type { Io } from '../io';
import { fields } from '../output/table';
import { appWithKeysSchema, KEYS, replacedOf } from './app-schemas';
import { APP } from './arguments';
import { addCall, openSession, understood, type CommonOptions } from './command';
import { addConfirmed, examplesWithYes, notConfirmed, type ConfirmOptions } from './confirmation';
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

interface RotateOptions extends CommonOptions, ConfirmOptions {
  readonly keepOld?: number;
  readonly revokeNow?: true;
}

function addRotateKey(apps: Command, io: Io): void {
  addConfirmed(apps, {
    name: 'rotate-key',
    does: 'replace the key',
    summary: 'replace a key of an app; the old one is taken beside it for a day, or as long as you say',
    examples: examplesWithYes(
      'apps rotate-key APP_ID masterKey',
      'apps rotate-key APP_ID key --keep-old 7d --yes',
      'apps rotate-key APP_ID masterKey --revoke-now --yes      # it has become known',
    ),
    args: [APP, WHICH],
  })
    .option('--keep-old <time>', 'how long the old key is taken, such as 24h or 7d', duration)
    .option('--revoke-now', 'refuse the old key at once')
    .action(async (app: string, given: string, options: RotateOptions) => {
      const { keepOld, revokeNow } = options;
      const which = whichKey(given);
      if (keepOld !== undefined && revokeNow) throw new UsageError('give --keep-old or --revoke-now');
      const { api, show } = openSession(io, options);
      if (options.yes !== true) {
        const now = understood(appWithKeysSchema, await api.request('GET', ['apps', app]));
        throw notConfirmed(whatEnds(now, which, options));
      }
      const body = { which, keepOldMs: revokeNow ? 0 : keepOld };
      const rotated = await api.request('POST', ['apps', app, 'keys'], { body });
      show(rotated, appWithKeysSchema, (shown) => fields([[which, shown[which]], ...replacedOf(shown)]));
    });
}

function whatEnds(
  { name, replacedKeys }: z.output<typeof appWithKeysSchema>,
  which: KeyOfApp,
  { keepOld, revokeNow }: RotateOptions,
): string {
  const kept = keepOld === undefined ? 'for a day' : `until ${new Date(Date.now() + keepOld).toISOString()}`;
  const old = revokeNow ? 'the old one is refused at once' : `the old one is taken ${kept}`;
  const hasOlder = replacedKeys.some((replaced) => replaced.which === which);
  const older = hasOlder ? ', and the one before it no more' : '';
  return `the ${which} of "${name}" gets a successor; ${old}${older}; --yes replaces it`;
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
