import { writeJson, type Json } from '@pushfleet/domain';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { table } from '../output/table';
import { addCall, type CommonOptions } from './command';
import { wholeNumber } from './option-values';

const entrySchema = z.looseObject({
  at: z.string(),
  by: z.string(),
  from: z.string(),
  action: z.string(),
  target: z.string(),
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])).optional(),
});
const pageSchema = z.object({ results: z.array(entrySchema), cursor: z.string().optional() });

interface AuditOptions extends CommonOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

export function addAuditCommand(program: Command, io: Io): void {
  addCall(program, io, {
    name: 'audit',
    summary: 'list what operators changed, the newest first',
    examples: ['audit', 'audit --limit 20 --json'],
    request: (_, { limit, cursor }: AuditOptions) => [
      'GET',
      ['audit'],
      { query: { limit: limit?.toString(), cursor } },
    ],
    schema: pageSchema,
    toText: (page) => {
      const rows = page.results.map(({ at, by, from, action, target, changes }) => [
        ...[at, by, from, action, target, changesText(changes)],
      ]);
      const more = page.cursor === undefined ? '' : `More: pushfleet audit --cursor ${page.cursor}\n`;
      return table(['AT', 'BY', 'FROM', 'ACTION', 'TARGET', 'CHANGES'], rows) + more;
    },
  })
    .option('--limit <n>', 'how many, at most 1000; 100 if not given', wholeNumber)
    .option('--cursor <cursor>', 'the page behind the one that ended with it');
}

const changesText = (changes: z.infer<typeof entrySchema>['changes'] = {}): string =>
  Object.entries(changes)
    .map(([field, [before, after]]) => `${field}: ${writeJson(before as Json)} → ${writeJson(after as Json)}`)
    .join(', ');
