import { FROM_SERVICES } from '@pushfleet/domain';
import { Option, type Command } from 'commander';
import type { Io } from '../io';
import { pushSchema, pushText, statusOf, textOf } from '../output/push-record';
import { APP } from './arguments';
import { addCall, tableOf, type CommonOptions } from './command';
import { addOutcomes } from './export-devices';
import { groupOf } from './group-of';
import { wholeNumber } from './option-values';
import { addPreflight, addSend } from './send-push';
import { addCancel, addWatch } from './watch-push';

export const addPushCommands = groupOf('pushes', 'send pushes, and read their records', [
  ...[addSend, addPreflight, addWatch, addCancel, addOutcomes],
  ...[addList, addShow],
]);

interface ListOptions extends CommonOptions {
  readonly limit?: number;
  readonly skip?: number;
  readonly fromService?: string;
}

function addList(pushes: Command, io: Io): void {
  addCall(pushes, io, {
    name: 'list',
    summary: 'list the pushes of an app, newest first',
    examples: [
      'pushes list APP_ID',
      'pushes list APP_ID --limit 100 --skip 100',
      'pushes list APP_ID --from-service rtm',
    ],
    args: [APP],
    request: ([app], { limit, skip, fromService }: ListOptions) => {
      const query = { limit: limit?.toString(), skip: skip?.toString(), 'from-service': fromService };
      return ['GET', ['apps', app, 'pushes'], { query }];
    },
    ...tableOf({
      item: pushSchema,
      head: ['PUSH', 'CREATED', 'STATUS', 'DEVICES', 'SUCCESSES', 'TEXT'],
      row: (push) => [...[push.objectId, push.createdAt, statusOf(push), push.devices, push.successes], textOf(push)],
    }),
  })
    .option('--limit <n>', 'at most this many, up to 100', wholeNumber)
    .option('--skip <n>', 'leave out this many of the newest', wholeNumber)
    .addOption(
      new Option('--from-service <service>', 'of senders (push), or of a chat server (rtm)').choices(FROM_SERVICES),
    );
}

function addShow(pushes: Command, io: Io): void {
  addCall(pushes, io, {
    name: 'show',
    summary: 'show a push: text, audience, books, what to do about refusals, and what became of one installation',
    examples: ['pushes show APP_ID PUSH_ID', 'pushes show APP_ID PUSH_ID --installation INSTALLATION_ID'],
    args: [APP, ['<push>', 'objectId or notification id of the push']],
    request: ([app, push], { installation }: CommonOptions & { readonly installation?: string }) => {
      return ['GET', ['apps', app, 'pushes', push], { query: { installationId: installation } }];
    },
    schema: pushSchema,
    toText: pushText,
  }).option('--installation <id>', 'objectId or installationId of an installation');
}
