import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { fileError, Interrupted, RequestError, UsageError } from '../errors';
import { ImportTally, importAnswerSchema } from '../import-tally';
import type { Io } from '../io';
import { importText } from '../output/import-summary';
import { Progress } from '../output/progress';
import { patiently } from '../patient-request';
import { RejectedRows } from '../rejected-rows';
import { portionsOf, type Portion } from '../rows/portions';
import { FORMATS, readRows, type Format } from '../rows/read-rows';
import type { Row } from '../rows/row';
import { addLeaf, openSession, type CommonOptions, type Session } from './command';
import { nameOrId, wholeNumber } from './option-values';

interface ImportOptions extends CommonOptions {
  readonly app: string;
  readonly format?: Format;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly skip?: number;
}

const ABOUT = `
The file is a JSON array, JSON lines or BSON as mongodump writes it, each gzipped or not. objectId, createdAt, updatedAt
and every column are kept. What is here already and as new, or newer, is left alone: run it again as often as needed.
Rows that are not installations are left out and told in the report, a JSON line each.
`;

export function addInstallationImport(imports: Command, io: Io): void {
  addLeaf(imports, {
    name: 'installations',
    summary: 'take over the installations of an app from an export of its _Installation',
    examples: [
      'import installations _Installation.json.gz --app APP_ID --dry-run',
      'import installations _Installation.json.gz --app APP_ID',
      'import installations - --app APP_ID < _Installation.json.gz',
    ],
  })
    .argument('<file>', 'the export; - for standard input')
    .requiredOption('--app <id>', 'the app that takes them', nameOrId)
    .addOption(new Option('--format <format>', 'what the file is, instead of looking at it').choices(FORMATS))
    .option('--dry-run', 'store nothing; tell what would be')
    .option('--report <path>', 'where bad rows are told; - for standard error (default: FILE.rejected.jsonl here)')
    .option('--skip <n>', 'leave out this many rows at the beginning', wholeNumber)
    .addHelpText('after', ABOUT)
    .action(async (file: string, options: ImportOptions) => {
      const session = openSession(io, options);
      await new Import(session, file, options).run();
    });
}

const appSchema = z.looseObject({ hybrid: z.boolean() });

/** Requests under way at once. */
const LANES = 3;
const PATIENCE_MS = 5 * 60_000;
const STANDARD_INPUT = '-';

class Import {
  private readonly tally = new ImportTally();
  private readonly rejected: RejectedRows;
  private readonly interruption = new AbortController();
  private readonly interrupted = once(this.interruption.signal, 'abort').then(() => undefined);
  private progress: Progress | undefined;
  private bytesRead = 0;
  /** Of what the console has answered. */
  private bytesDone = 0;
  private damage: string | undefined;
  /** Of the last row up to which the console has answered for every row. */
  private doneTo = 0;
  private isWaitTold = false;

  constructor(
    private readonly session: Session,
    private readonly file: string,
    private readonly options: ImportOptions,
  ) {
    const beside = file === STANDARD_INPUT ? '-' : `${basename(file)}.rejected.jsonl`;
    this.rejected = new RejectedRows(options.report ?? beside, session.io);
  }

  async run(): Promise<void> {
    const { api, io, show } = this.session;
    const { app, dryRun } = this.options;
    const total = this.file === STANDARD_INPUT ? undefined : await sizeOf(this.file);
    await this.rejected.check();
    const { hybrid } = appSchema.parse(await api.request('GET', ['apps', app]));
    void io.untilInterrupted().then(() => this.interruption.abort());
    this.progress = new Progress(io, { unit: 'rows', total });
    try {
      await this.send();
    } catch (error) {
      throw this.withTheWayOn(error);
    } finally {
      this.progress.clear();
      await this.rejected.close();
    }
    const { count, place } = this.rejected;
    const report = count > 0 && place !== undefined ? { report: place } : {};
    const summary = { ...this.tally.summary(), ...(dryRun === true ? { dryRun } : {}), ...report };
    show(summary, z.looseObject({}), () => importText(summary, { app, hybrid }));
    if (this.damage !== undefined)
      throw new RequestError(`${this.file}: ${this.damage} (after row ${this.doneTo}); what follows is missing`);
    if (summary.bad > 0) throw new RequestError(`${summary.bad} row(s) were left out: see ${place ?? 'above'}`);
  }

  /** Portions are under way side by side, and awaited in the order of the file. */
  private async send(): Promise<void> {
    const { skip = 0, format } = this.options;
    const isInput = this.file === STANDARD_INPUT;
    const source = isInput ? { path: 'standard input', input: this.session.io.readInPieces() } : { path: this.file };
    const rows = readRows({ ...source, format, onRead: (bytes) => (this.bytesRead += bytes) });
    const underWay: Promise<number>[] = [];
    const next = async (): Promise<void> => {
      this.doneTo = (await this.unlessInterrupted(underWay.shift())) ?? this.doneTo;
    };
    const portions = portionsOf(withoutFirst(rows, skip));
    // A pipe may say nothing for long: whoever interrupts does not wait for it.
    for (;;) {
      const read = await this.unlessInterrupted(portions.next());
      if (read?.done !== false) break;
      if (underWay.length === LANES) await next();
      const done = this.sendPortion(read.value);
      // A failure surfaces when it is this one's turn.
      done.catch(() => undefined);
      underWay.push(done);
    }
    while (underWay.length > 0) await next();
  }

  /** Resolves with the number of its last row. */
  private async sendPortion({ sound, bad, damage, number }: Portion): Promise<number> {
    this.damage ??= damage;
    const readTo = this.bytesRead;
    const answer = sound.length === 0 ? undefined : await this.request(sound);
    for (const { error, ...row } of bad) await this.rejected.add({ row: row.number, reason: error });
    for (const { index, error, objectId } of answer?.bad ?? [])
      await this.rejected.add({ row: sound[index]?.number ?? 0, objectId, reason: error });
    this.tally.add({ rows: sound.length + bad.length, bad: bad.length, answer });
    this.bytesDone = Math.max(this.bytesDone, readTo);
    this.progress?.update(this.bytesDone, this.tally.rows);
    return number;
  }

  private async request(rows: Portion['sound']): Promise<z.output<typeof importAnswerSchema>> {
    const { app, dryRun = false } = this.options;
    const bodyText = `{"dryRun":${String(dryRun)},"rows":[${rows.map(({ text }) => text).join(',')}]}`;
    const answer = await patiently(
      () => this.session.api.request('POST', ['apps', app, 'installations', 'import'], { bodyText }),
      { limitMs: PATIENCE_MS, signal: this.interruption.signal, onWait: (error) => this.tellWait(error) },
    );
    this.isWaitTold = false;
    return importAnswerSchema.parse(answer);
  }

  private tellWait({ message }: RequestError): void {
    if (!this.isWaitTold) this.progress?.note(`waiting: ${message}`);
    this.isWaitTold = true;
  }

  private async unlessInterrupted<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    const { signal } = this.interruption;
    const done = await (signal.aborted ? undefined : Promise.race([work, this.interrupted]));
    if (signal.aborted) throw new Interrupted('interrupted');
    return done;
  }

  private withTheWayOn(error: unknown): unknown {
    if (!(error instanceof RequestError || error instanceof Interrupted)) return error;
    const again = `run the same command again to go on; with --skip ${this.doneTo} it begins where this one stopped`;
    const message = `${error.message}\nstopped after row ${this.doneTo}; ${again}`;
    if (error instanceof Interrupted) return new Interrupted(message);
    return new RequestError(message, { cause: error });
  }
}

async function* withoutFirst(rows: AsyncIterable<Row>, count: number): AsyncGenerator<Row> {
  for await (const row of rows) if (row.number > count || 'isDamage' in row) yield row;
}

/** Of a file; undefined for a pipe, which tells its end only. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new UsageError(`${path}: is a directory; give the file of _Installation in it`);
    return stats.isFile() ? stats.size : undefined;
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw fileError(path, 'read', cause);
  }
}
