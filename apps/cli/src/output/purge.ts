import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { RequestError } from '../errors';
import { expected, type Session } from '../commands/command';
import { patientRequest } from '../patient-request';
import { fields, table } from './table';

const purgeSchema = z.object({
  startedAt: z.string(),
  pass: z.number(),
  step: z.string(),
  percent: z.number(),
  removed: z.object({ pushes: z.number(), installations: z.number(), keys: z.number() }),
});

/** An app whose data is being deleted. */
export const purgedAppSchema = z.object({ id: z.string(), purge: purgeSchema });
/** In a list: how far it is may be something that nobody can read. */
export const listedPurgeSchema = purgedAppSchema.partial({ purge: true });

type PurgedApp = z.output<typeof purgedAppSchema>;

export const purgedText = ({ id, purge }: PurgedApp): string =>
  fields([
    ['id', id],
    ['being deleted since', purge.startedAt],
    ['pass', purge.pass],
    ['step', `${purge.step}, ${purge.percent} %`],
    ['installations removed', purge.removed.installations],
    ['pushes removed', purge.removed.pushes],
    ['other keys removed', purge.removed.keys],
  ]);

export function purgingText(apps: readonly z.output<typeof listedPurgeSchema>[]): string {
  if (apps.length === 0) return '';
  const rows = apps.map(({ id, purge }) =>
    purge === undefined ? [id, '?', '?', 'unreadable'] : [id, purge.pass, purge.step, `${purge.percent} %`],
  );
  return `\nbeing deleted:\n${table(['ID', 'PASS', 'STEP', 'DONE'], rows)}`;
}

const POLL_MS = 1000;

const GOES_ON = 'the dispatchers go on deleting: see `pushfleet apps list`';

/** Shows how far the deletion of an app is, until nothing is left of it. */
export async function untilPurged({ io, api }: Pick<Session, 'io' | 'api'>, app: string): Promise<void> {
  let shown = '';
  for (;;) {
    const look = () => api.request('GET', ['apps', app]);
    const answer = await patientRequest(io, look, GOES_ON).catch((error: unknown) => {
      if (error instanceof RequestError && error.status === 404) return undefined;
      throw error;
    });
    if (answer === undefined) return;
    const { pass, step, percent, removed } = expected(purgedAppSchema, answer).purge;
    const line = `pass ${pass}, ${step} ${percent} %: ${removed.installations} installations, ${removed.pushes} pushes gone`;
    if (line !== shown) io.writeErr(`${line}\n`);
    shown = line;
    await delay(POLL_MS);
  }
}
