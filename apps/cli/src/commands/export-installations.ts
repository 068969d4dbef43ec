import { writeJson } from '@pushfleet/domain';
import { open, rename, rm } from 'node:fs/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import { fileError, Interrupted } from '../errors';
import type { Io } from '../io';
import { Progress, thousands } from '../output/progress';
import { patiently } from '../patient-request';
import { addLeaf, openSession, type CommonOptions, type Session } from './command';

interface ExportOptions extends CommonOptions {
  readonly app: string;
  readonly out?: string;
}

const pageSchema = z.object({
  results: z.array(z.unknown()),
  cursor: z.string().optional(),
  total: z.number().optional(),
});

const PATIENCE_MS = 5 * 60_000;

export function addInstallationExport(exports: Command, io: Io): void {
  addLeaf(exports, {
    name: 'installations',
    summary: 'write the installations of an app as JSON lines, which `import installations` takes',
    examples: [
      'export installations --app APP_ID --out installations.jsonl',
      'export installations --app APP_ID | gzip > installations.jsonl.gz',
    ],
  })
    .requiredOption('--app <id>', 'the app')
    .option('--out <path>', 'file to write; standard output otherwise')
    .action(async ({ app, out, ...options }: ExportOptions) => {
      const session = openSession(io, options);
      if (out === undefined) {
        await writeAll(session, app, (text) => io.pipeOut(text));
        return;
      }
      const count = await writeFileOf(session, app, out);
      session.show({ installations: count, out }, z.looseObject({}), () => `${thousands(count)} installations\n`);
    });
}

/** The file appears under its name when it is whole. */
async function writeFileOf(session: Session, app: string, path: string): Promise<number> {
  const unfinished = `${path}.part`;
  const file = await open(unfinished, 'w').catch((cause: unknown) => {
    throw fileError(path, 'written', cause);
  });
  try {
    const count = await writeAll(session, app, (text) => file.appendFile(text));
    await file.close();
    await rename(unfinished, path);
    return count;
  } catch (error) {
    await file.close();
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function writeAll({ api, io }: Session, app: string, write: (text: string) => Promise<unknown>): Promise<number> {
  const interruption = new AbortController();
  void io.untilInterrupted().then(() => interruption.abort());
  let progress: Progress | undefined;
  let [count, cursor]: [number, string | undefined] = [0, undefined];
  do {
    const query: { readonly cursor: string | undefined } = { cursor };
    const request = () => api.request('GET', ['apps', app, 'installations'], { query });
    const isFirst = progress === undefined;
    const limitMs = isFirst ? 0 : PATIENCE_MS;
    const onWait = ({ message }: Error): void => progress?.note(`waiting: ${message}`);
    const page = pageSchema.parse(await patiently(request, { limitMs, onWait, signal: interruption.signal }));
    progress ??= new Progress(io, { unit: 'installations', total: page.total });
    await write(page.results.map((installation) => `${writeJson(installation)}\n`).join(''));
    count += page.results.length;
    progress.update(count, count);
    cursor = page.cursor;
    if (interruption.signal.aborted) throw new Interrupted('interrupted; the export is not whole, run it again');
  } while (cursor !== undefined);
  progress.clear();
  return count;
}
