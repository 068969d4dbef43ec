import { writeJson } from '@pushfleet/domain';
import type { Command } from 'commander';
import { z } from 'zod';
import { openApi, type Api } from '../api';
import { readConfig } from '../config';
import { RequestError } from '../errors';
import type { Io } from '../io';
import { table, type Cell } from '../output/table';
import { nameOrId } from './option-values';

/** What every command is given. */
export interface Session {
  readonly io: Io;
  readonly api: Api;
  /** Writes an answer: as it came for `--json`, else as `toText` puts it. */
  show<Schema extends z.ZodType>(answer: unknown, schema: Schema, toText: (answer: z.output<Schema>) => string): void;
}

/** Options every leaf command has. */
export interface CommonOptions {
  readonly json?: boolean;
}

/** What the help calls an argument, and what it says of it. */
export type Argument = readonly [name: string, about: string];

export interface Leaf {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
  readonly args?: readonly Argument[];
}

/** Adds a command with `--json` and examples. */
export function addLeaf(group: Command, { name, summary, examples, args = [] }: Leaf): Command {
  const command = group
    .command(name)
    .description(summary)
    .option('--json', "print the console's answer as one line of JSON")
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ pushfleet ${example}\n`).join('')}`);
  return args.reduce((added, [argument, about]) => added.argument(argument, about, nameOrId), command);
}

export type Values<Args extends readonly Argument[]> = { readonly [I in keyof Args]: string };

type Request = Parameters<Api['request']>;

interface Call<Args extends readonly Argument[], Options, Schema extends z.ZodType> extends Leaf {
  readonly args?: Args;
  readonly request: (values: Values<Args>, options: Options) => Request | Promise<Request>;
  /** Absent where the console answers nothing worth reading. */
  readonly schema?: Schema;
  readonly toText: (answer: z.output<Schema>, values: Values<Args>) => string;
}

/** Adds a command that is one request to the console and shows the answer; further options are added to what it returns. */
export function addCall<
  const Args extends readonly Argument[] = readonly [],
  Options extends CommonOptions = CommonOptions,
  Schema extends z.ZodType = typeof emptySchema,
>(group: Command, io: Io, call: Call<Args, Options, Schema>): Command {
  return addLeaf(group, call).action(async (...given: unknown[]) => {
    const { args = [], request, schema = emptySchema, toText } = call;
    const values = given.slice(0, args.length) as unknown as Values<Args>;
    const options = given[args.length] as Options;
    const { api, show } = openSession(io, options);
    const answer = await api.request(...(await request(values, options)));
    show(answer, schema as Schema, (known) => toText(known, values));
  });
}

/** The part of a call that deletes what the console keeps in a collection under the name that is given. */
export const deletionFrom = (collection: string, named: Argument) => ({
  args: [named] as const,
  request: ([name]: readonly [string]): Request => ['DELETE', [collection, name]],
  toText: (_: unknown, [name]: readonly [string]): string => `deleted ${name}\n`,
});

export const openSession = (io: Io, options: CommonOptions): Session => ({
  io,
  api: openApi(readConfig(io.env)),
  show: openShow(io, options),
});

/** Shows the answers of any service. */
export const openShow =
  (io: Io, { json = false }: CommonOptions): Session['show'] =>
  (answer, schema, toText) => {
    tellPending(io, answer);
    if (json) io.writeOut(`${writeJson(answer)}\n`);
    else io.writeOut(toText(understood(schema, answer)));
  };

const pendingSchema = z.looseObject({
  pendingProcesses: z.array(z.looseObject({ id: z.string(), role: z.string() })).min(1),
});

/** A change is made, and some process may not know it yet. */
function tellPending(io: Io, answer: unknown): void {
  const { data } = pendingSchema.safeParse(answer);
  if (!data) return;
  const names = data.pendingProcesses.map(({ id, role }) => `${role} ${id}`).join(', ');
  io.writeErr(`pushfleet: done, but not known yet to: ${names}\n`);
}

export const understood = <Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> =>
  parsed(schema, answer, '; --json prints it as it is');

/** The same for an answer that no option prints. */
export const expected = <Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> =>
  parsed(schema, answer, ': another server may have this address');

function parsed<Schema extends z.ZodType>(schema: Schema, answer: unknown, advice: string): z.output<Schema> {
  const { data, error } = schema.safeParse(answer);
  if (error) throw new RequestError(`the answer was not understood${advice}`, { cause: error });
  return data;
}

export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ results: z.array(item), unreadable: z.array(z.string()).default([]) });

/** What is said below a list of records that are damaged. */
export const unreadableText = (names: readonly string[]): string =>
  names.map((name) => `${name}: its record in Redis is damaged\n`).join('');

interface Listed<Item extends z.ZodType> {
  readonly item: Item;
  readonly head: readonly string[];
  readonly row: (item: z.output<Item>) => readonly Cell[];
}

interface ListAnswer<Item extends z.ZodType> {
  readonly results: readonly z.output<Item>[];
  readonly unreadable: readonly string[];
}

/** The part of a call that shows a list of the console as a table. */
export const tableOf = <Item extends z.ZodType>({ item, head, row }: Listed<Item>) => ({
  schema: listOf(item),
  toText: ({ results, unreadable }: ListAnswer<Item>): string =>
    table(head, results.map(row)).concat(unreadableText(unreadable)),
});

export const emptySchema = z.looseObject({});
