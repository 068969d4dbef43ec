import { writeJson } from '@pushfleet/domain';
import { open, rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { Api, RequestOptions } from './api';
import { expected } from './commands/command';
import { fileError, Interrupted, systemCode } from './errors';
import type { Io } from './io';
import { Progress } from './output/progress';
import { PATIENCE_MS, patiently } from './patient-request';
import { requireWritable } from './require-writable';

/** A list that is asked for page by page, each with the cursor of the one before. */
export interface PagedList {
  readonly api: Api;
  readonly path: readonly string[];
  readonly query?: RequestOptions['query'];
  /** What is counted. */
  readonly unit: string;
}

export interface Exported {
  /** Lines that were written. */
  readonly count: number;
  /** As the last page said; true where pages do not say. */
  readonly isComplete: boolean;
}

const pageSchema = z.object({
  results: z.array(z.unknown()),
  cursor: z.string().nullish(),
  total: z.number().optional(),
  complete: z.boolean().default(true),
});

/**
 * Writes a list as JSON lines: to standard output, to a device or a pipe as it is, or to a file, which appears under its
 * name when it is whole.
 */
export async function exportPages(io: Io, list: PagedList, out: string | undefined): Promise<Exported> {
  if (out === undefined) return writeAll(io, list, (text) => io.pipeOut(text));
  const unwritable = (cause: unknown): never => {
    throw systemCode(cause) === undefined ? cause : fileError(out, 'written', cause);
  };
  const there = await requireWritable(out).catch(unwritable);
  // A rename would put a file in the place of /dev/null.
  const isFile = there?.isFile() ?? true;
  const written = isFile ? `${out}.part` : out;
  const file = await open(written, 'w').catch(unwritable);
  try {
    const exported = await writeAll(io, list, (text) => file.appendFile(text));
    await file.close();
    if (isFile) await rename(written, out);
    return exported;
  } catch (error) {
    await file.close();
    if (isFile) await rm(written, { force: true });
    return unwritable(error);
  }
}

async function writeAll(
  io: Io,
  { api, path, query, unit }: PagedList,
  write: (text: string) => Promise<unknown>,
): Promise<Exported> {
  const interruption = new AbortController();
  void io.untilInterrupted().then(() => interruption.abort());
  let progress: Progress | undefined;
  let [count, cursor]: [number, string | undefined] = [0, undefined];
  for (;;) {
    const from: { readonly cursor: string | undefined } = { cursor };
    const request = () => api.request('GET', path, { query: { ...query, ...from } });
    const limitMs = progress === undefined ? 0 : PATIENCE_MS;
    const onWait = ({ message }: Error): void => progress?.note(`waiting: ${message}`);
    const page = expected(pageSchema, await patiently(request, { limitMs, onWait, signal: interruption.signal }));
    progress ??= new Progress(io, { unit, total: page.total });
    await write(page.results.map((row) => `${writeJson(row)}\n`).join(''));
    count += page.results.length;
    progress.update(count, count);
    if (interruption.signal.aborted) throw new Interrupted('interrupted; the export is not whole, run it again');
    cursor = page.cursor ?? undefined;
    if (cursor === undefined) {
      progress.clear();
      return { count, isComplete: page.complete };
    }
  }
}
