import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { Progress } from '../output/progress';
import { fields } from '../output/table';
import { patientRequest } from '../patient-request';
import { APP } from './arguments';
import { addCall, addLeaf, expected, openSession, tableOf, type CommonOptions, type Session } from './command';

const indexSchema = z.looseObject({
  column: z.string(),
  status: z.string(),
  declaredAt: z.string(),
  progress: z.looseObject({ done: z.number(), of: z.number() }).optional(),
  checkedAt: z.string().optional(),
});
type Index = z.output<typeof indexSchema>;

const COLUMN = ['<column>', 'name of a column of installations'] as const;
const POLL_MS = 1000;

const OF_ONE = [
  ['show', 'GET', 'show the index of a column'],
  ['remove', 'DELETE', 'remove the index of a column; pushes by it walk the app from then on'],
] as const;

export function addIndexCommands(program: Command, io: Io): void {
  const indexes = program
    .command('indexes')
    .description('columns by whose values few devices are found without a walk');
  addCall(indexes, io, {
    name: 'list',
    summary: 'list the indexed columns of an app, and how far they are',
    examples: ['indexes list APP_ID'],
    args: [APP],
    request: ([app]) => ['GET', ['apps', app, 'indexes']],
    ...tableOf({
      item: indexSchema,
      head: ['COLUMN', 'STATUS', 'PROGRESS', 'CHECKED'],
      row: ({ column, status, progress, checkedAt }) => [column, status, progressText(progress), checkedAt],
    }),
  });
  for (const [name, method, summary] of OF_ONE)
    addCall(indexes, io, {
      name,
      summary,
      examples: [`indexes ${name} APP_ID user`],
      args: [APP, COLUMN],
      request: ([app, column]) => [method, ['apps', app, 'indexes', column]],
      schema: indexSchema,
      toText: indexText,
    });
  addMaking(indexes, io);
}

function addMaking(indexes: Command, io: Io): void {
  addLeaf(indexes, {
    name: 'add',
    summary: 'index a column, and wait until pushes use it',
    examples: ['indexes add APP_ID user', 'indexes add APP_ID user --no-wait'],
    args: [APP, COLUMN],
  })
    .option('--no-wait', 'leave it to the dispatchers and return at once')
    .action(async (app: string, column: string, options: CommonOptions & { readonly wait: boolean }) => {
      const session = openSession(io, options);
      const path = ['apps', app, 'indexes', column];
      const begun = await session.api.request('PUT', path);
      session.show(options.wait ? await untilReady(session, path) : begun, indexSchema, indexText);
    });
}

async function untilReady({ io, api }: Session, path: readonly string[]): Promise<unknown> {
  let progress: Progress | undefined;
  for (;;) {
    const look = () => api.request('GET', path);
    const answer = await patientRequest(io, look, 'the dispatchers go on: see `pushfleet indexes list`');
    const { status, progress: made } = expected(indexSchema, answer);
    if (status !== 'building') {
      progress?.clear();
      return answer;
    }
    if (made) progress ??= new Progress(io, { unit: 'parts', total: made.of });
    if (made) progress?.update(made.done, made.done);
    await delay(POLL_MS);
  }
}

const progressText = (progress: Index['progress']): string => (progress ? `${progress.done} of ${progress.of}` : '');

const indexText = ({ column, status, declaredAt, progress, checkedAt }: Index): string =>
  fields([
    ['column', column],
    ['status', status],
    ['since', declaredAt],
    ['progress', progress && progressText(progress)],
    ['checked', checkedAt],
  ]);
