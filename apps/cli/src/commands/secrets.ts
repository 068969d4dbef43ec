import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { Progress } from '../output/progress';
import { fields, table } from '../output/table';
import { patientRequest } from '../patient-request';
import { addCall, addLeaf, expected, openSession, type CommonOptions, type Session } from './command';

const resealSchema = z.looseObject({ done: z.number(), total: z.number(), rewritten: z.number() });
const progressSchema = z.looseObject({
  keyId: z.string(),
  writes: z.string(),
  phase: z.string(),
  reseal: resealSchema.optional(),
  last: z.looseObject({ endedAt: z.string(), rewritten: z.number(), unreadable: z.number() }).optional(),
});
const countSchema = z.looseObject({
  kind: z.string(),
  keyId: z.string(),
  key: z.string(),
  isBound: z.boolean(),
  count: z.number(),
});
const statusSchema = progressSchema.extend({
  counts: z.array(countSchema),
  stale: z.number(),
  unreadable: z.number(),
  unreadableApps: z.array(z.string()).default([]),
  unreadableMacTokens: z.array(z.string()).default([]),
});

type Status = z.output<typeof statusSchema>;

const POLL_MS = 1000;

export function addSecretCommands(program: Command, io: Io): void {
  const secrets = program.command('secrets').description('how app keys, credentials and MAC keys are sealed');
  addCall(secrets, io, {
    name: 'status',
    summary: 'count the secrets by kind and key, and those that must be sealed anew',
    examples: ['secrets status', 'secrets status --json'],
    request: () => ['GET', ['secrets']],
    schema: statusSchema,
    toText: statusText,
  });
  addLeaf(secrets, {
    name: 'reseal',
    summary: 'seal every secret anew with SECRET_KEY, once every process has it; SECRET_KEY_PREVIOUS may go then',
    examples: ['secrets reseal', 'secrets reseal --no-wait'],
  })
    .option('--no-wait', 'leave it to the console and return at once')
    .action(async (options: CommonOptions & { readonly wait: boolean }) => {
      const session = openSession(io, options);
      const begun = await session.api.request('POST', ['secrets'], { body: {} });
      if (!options.wait) return session.show(begun, progressSchema, () => 'begun; see `pushfleet secrets status`\n');
      await untilResealed(session);
      session.show(await session.api.request('GET', ['secrets']), statusSchema, statusText);
    });
}

const GOES_ON = 'sealing goes on with any console that runs: see `pushfleet secrets status`';

async function untilResealed({ io, api }: Session): Promise<void> {
  let progress: Progress | undefined;
  const look = () => api.request('GET', ['secrets'], { query: { progress: '1' } });
  for (;;) {
    const { reseal } = expected(progressSchema, await patientRequest(io, look, GOES_ON));
    if (!reseal) return progress?.clear();
    if (reseal.total > 0) progress ??= new Progress(io, { unit: 'secrets', total: reseal.total });
    progress?.update(reseal.done, reseal.done);
    await delay(POLL_MS);
  }
}

const PHASES: Readonly<Record<string, string>> = {
  old: 'as an earlier release reads them: seal them anew once every process is of this release',
  both: 'being bound to their places',
  required: 'bound to their places; others are refused',
};

const named = (records: readonly string[]): string | undefined => (records.length > 0 ? records.join(', ') : undefined);

function statusText({ counts, keyId, writes, phase, stale, unreadable, reseal, last, ...damaged }: Status): string {
  const rows = counts.map(({ kind, key, isBound, count, ...of }) => [kind, of.keyId, key, isBound, count]);
  const state = fields([
    ['key of the console', keyId],
    ['key to seal with', writes],
    ['secrets are', PHASES[phase] ?? phase],
    ['to be sealed anew', stale],
    ['not readable', unreadable],
    ['apps whose records are damaged', named(damaged.unreadableApps)],
    ['MAC tokens whose records are damaged', named(damaged.unreadableMacTokens)],
    ['under way', reseal && `${reseal.done} of ${reseal.total}`],
    ['sealed anew last', last && `${last.endedAt}, ${last.rewritten} secrets`],
  ]);
  return `${state}\n${table(['KIND', 'KEY', 'WHICH', 'BOUND', 'SECRETS'], rows)}`;
}
