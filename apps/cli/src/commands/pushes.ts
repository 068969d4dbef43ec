import type { Command } from 'commander';
import type { Io } from '../io';
import { pushSchema, pushText, statusOf, textOf } from '../output/push-record';
import { table } from '../output/table';
import { addLeaf, listOf, openSession, type CommonOptions } from './command';
import { wholeNumber } from './option-values';

export function addPushCommands(program: Command, io: Io): void {
  const pushes = program.command('pushes').description('read push records');
  addList(pushes, io);
  addShow(pushes, io);
}

interface ListOptions extends CommonOptions {
  readonly limit?: number;
  readonly skip?: number;
}

function addList(pushes: Command, io: Io): void {
  addLeaf(pushes, {
    name: 'list',
    summary: 'list the pushes of an app, newest first',
    examples: ['pushes list APP_ID', 'pushes list APP_ID --limit 100 --skip 100'],
  })
    .argument('<app>', 'id of the app')
    .option('--limit <n>', 'at most this many, up to 100', wholeNumber)
    .option('--skip <n>', 'leave out this many of the newest', wholeNumber)
    .action(async (app: string, options: ListOptions) => {
      const { api, show } = openSession(io, options);
      const query = { limit: options.limit?.toString(), skip: options.skip?.toString() };
      show(await api.request('GET', ['apps', app, 'pushes'], { query }), listOf(pushSchema), ({ results }) =>
        table(
          ['PUSH', 'CREATED', 'STATUS', 'DEVICES', 'SUCCESSES', 'TEXT'],
          results.map((push) => [
            ...[push.objectId, push.createdAt, statusOf(push), push.devices, push.successes],
            textOf(push),
          ]),
        ),
      );
    });
}

function addShow(pushes: Command, io: Io): void {
  addLeaf(pushes, {
    name: 'show',
    summary: 'show a push: text, audience, books, what to do about refusals, and what became of one installation',
    examples: ['pushes show APP_ID PUSH_ID', 'pushes show APP_ID PUSH_ID --installation INSTALLATION_ID'],
  })
    .argument('<app>', 'id of the app')
    .argument('<push>', 'objectId or notification id of the push')
    .option('--installation <id>', 'objectId or installationId of an installation')
    .action(async (...[app, push, options]: [string, string, CommonOptions & { installation?: string }]) => {
      const { api, show } = openSession(io, options);
      const query = { installationId: options.installation };
      show(await api.request('GET', ['apps', app, 'pushes', push], { query }), pushSchema, pushText);
    });
}
