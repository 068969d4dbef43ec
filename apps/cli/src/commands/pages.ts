import type { Command } from 'commander';
import { z } from 'zod';
import type { Io } from '../io';
import { table, type Cell } from '../output/table';
import { addCall, listOf, unreadableText, type Argument, type CommonOptions, type Values } from './command';

interface Pages<Args extends readonly Argument[], Item extends z.ZodType> {
  readonly summary: string;
  readonly examples: readonly string[];
  readonly args: Args;
  readonly path: (values: Values<Args>) => readonly string[];
  readonly item: Item;
  readonly head: readonly string[];
  readonly row: (item: z.output<Item>) => readonly Cell[];
}

interface PageOptions extends CommonOptions {
  readonly cursor?: string;
}

/** Adds a command that shows one page of a list, and how to go on. */
export function addPages<const Args extends readonly Argument[], Item extends z.ZodType>(
  group: Command,
  io: Io,
  { summary, examples, args, path, item, head, row }: Pages<Args, Item>,
): void {
  addCall(group, io, {
    name: 'list',
    summary: `${summary}, page by page`,
    examples,
    args,
    request: (values: Values<Args>, { cursor }: PageOptions) => ['GET', path(values), { query: { cursor } }],
    schema: listOf(item).extend({ cursor: z.string().optional() }),
    toText: ({ results, unreadable, cursor }) => {
      const more = cursor === undefined ? '' : `\nthere may be more: the same with --cursor ${cursor}\n`;
      return table(head, results.map(row)).concat(unreadableText(unreadable), more);
    },
  }).option('--cursor <cursor>', 'go on where the page before ended');
}
