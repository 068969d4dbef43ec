import type { Command } from 'commander';
import { z } from 'zod';
import { RequestError } from '../errors';
import { exportPages, type PagedList } from '../export-pages';
import type { Io } from '../io';
import { thousands } from '../output/progress';
import { addLeaf } from './command';
import { addAppFile, openSender, type SenderOptions } from './sender';

interface OutOptions extends SenderOptions {
  readonly out?: string;
}

interface OutcomeOptions extends OutOptions {
  readonly outcome?: string;
  readonly reason?: string;
  readonly channel?: string;
}

interface RetiredOptions extends OutOptions {
  readonly since?: string;
}

/** As many as the API gives at once. */
const limit = '1000';

export function addOutcomes(pushes: Command, io: Io): void {
  const command = addLeaf(pushes, {
    name: 'devices',
    summary: 'write what became of every device of a push as JSON lines, as it was booked',
    examples: [
      'pushes devices PUSH_ID --out devices.jsonl',
      'pushes devices PUSH_ID --outcome discarded --reason registration-gone',
    ],
    args: [['<push>', 'objectId or notification id of the push']],
  });
  addOut(addAppFile(command))
    .option('--outcome <outcome>', 'only those that were accepted, discarded or failed')
    .option('--reason <reason>', 'only those with this reason of the record')
    .option('--channel <channel>', 'only those of this channel of the record')
    .action(async (push: string, { out, outcome, reason, channel, ...options }: OutcomeOptions) => {
      const query = { outcome, reason, channel, limit };
      const list = { path: ['notifications', push, 'devices'], query, unit: 'rows' };
      await exportAll(io, { options, out, list }, INCOMPLETE);
    });
}

const INCOMPLETE =
  'not every device of the push is told: it is not done yet, or its outcomes are not kept any more (`complete` is false)';

export function addRetiredExport(exports: Command, io: Io): void {
  const command = addLeaf(exports, {
    name: 'retired',
    summary: 'write the registrations that vendors called dead as JSON lines, the oldest first',
    examples: ['export retired --since 2026-11-01 --out retired.jsonl', 'export retired | wc -l'],
  });
  addOut(addAppFile(command))
    .option('--since <time>', 'an ISO 8601 date, or milliseconds since the epoch (default: 30 days ago)')
    .action(async ({ out, since, ...options }: RetiredOptions) => {
      const list = { path: ['retired'], query: { since, limit }, unit: 'registrations' };
      await exportAll(io, { options, out, list }, MANY_RETIRED);
    });
}

const MANY_RETIRED = 'more were retired since then than are kept: the oldest are missing (`complete` is false)';

const addOut = (command: Command): Command =>
  command.option('--out <path>', 'file to write; standard output otherwise');

interface ToExport {
  readonly options: SenderOptions;
  readonly out: string | undefined;
  readonly list: Omit<PagedList, 'api'>;
}

/** Ends as refused, with everything written that there is, when that is not all. */
async function exportAll(io: Io, { options, out, list }: ToExport, incomplete: string): Promise<void> {
  const { api, show } = await openSender(io, options);
  const { count, isComplete } = await exportPages(io, { ...list, api }, out);
  if (out !== undefined) {
    const summary = { [list.unit]: count, complete: isComplete, out };
    show(summary, z.looseObject({}), () => `${thousands(count)} ${list.unit}\n`);
  }
  if (!isComplete) throw new RequestError(incomplete);
}
