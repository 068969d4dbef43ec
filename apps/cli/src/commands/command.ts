import { writeJson } from '@pushfleet/domain';
import type { Command } from 'commander';
import { z } from 'zod';
import { openApi, type Api } from '../api';
import { readConfig } from '../config';
import { RequestError } from '../errors';
import type { Io } from '../io';

/** What every command is given. */
export interface Session {
  readonly io: Io;
  readonly api: Api;
  /** Writes the console's answer: as it came for `--json`, else as `toText` puts it. */
  show<Schema extends z.ZodType>(answer: unknown, schema: Schema, toText: (answer: z.output<Schema>) => string): void;
}

/** Options every leaf command has. */
export interface CommonOptions {
  readonly json?: boolean;
}

export interface Leaf {
  readonly name: string;
  readonly summary: string;
  readonly examples: readonly string[];
}

/** Adds a command with `--json` and examples. */
export function addLeaf(group: Command, { name, summary, examples }: Leaf): Command {
  return group
    .command(name)
    .description(summary)
    .option('--json', "print the console's answer as one line of JSON")
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ pushfleet ${example}\n`).join('')}`);
}

export function openSession(io: Io, { json = false }: CommonOptions): Session {
  return {
    io,
    api: openApi(readConfig(io.env)),
    show(answer, schema, toText) {
      if (json) io.writeOut(`${writeJson(answer)}\n`);
      else io.writeOut(toText(understood(schema, answer)));
    },
  };
}

function understood<Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new RequestError('the answer of the console was not understood; --json prints it as it is', {
    cause: parsed.error,
  });
}

export const listOf = <Item extends z.ZodType>(item: Item) => z.object({ results: z.array(item) });

export const emptySchema = z.looseObject({});
