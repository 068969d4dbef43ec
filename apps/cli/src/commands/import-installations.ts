import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Option, type Command } from 'commander';
import { z } from 'zod';
import { fileError, Interrupted, RequestError, UsageError } from '../errors';
import { ImportTally, importAnswerSchema, type ImportSummary } from '../import-tally';
import type { Io } from '../io';
import { importText } from '../output/import-summary';
import { Progress } from '../output/progress';
import { PATIENCE_MS, patiently } from '../patient-request';
import { RejectedRows } from '../rejected-rows';
import { portionsOf, type Portion } from '../rows/portions';
import { FORMATS, readRows, type Format } from '../rows/read-rows';
import type { Row } from '../rows/row';
import { addLeaf, expected, openSession, type CommonOptions, type Session } from './command';
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
const STANDARD_INPUT = '-';

class Import {
  private readonly tally = new ImportTally();
  private readonly rejected: RejectedRows;
  /** Not of the user alone: a request that fails ends the others. */
  private readonly interruption = new AbortController();
  private readonly underWay: Promise<number>[] = [];
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
    const to = { path: options.report ?? beside, isContinued: (options.skip ?? 0) > 0 };
    this.rejected = new RejectedRows(to, session.io);
  }

  async run(): Promise<void> {
    const { api, io } = this.session;
    const { app } = this.options;
    const total = this.file === STANDARD_INPUT ? undefined : await sizeOf(this.file);
    await this.rejected.check();
    const { hybrid } = expected(appSchema, await api.request('GET', ['apps', app]));
    void io.untilInterrupted().then(() => this.interruption.abort());
    this.progress = new Progress(io, { unit: 'rows', total });
    const stop = await this.send().catch((error: unknown) => this.stopped(error));
    const summary = this.tell({ app, hybrid });
    if (stop) throw stop;
    if (this.damage !== undefined)
      throw new RequestError(`${this.file}: ${this.damage} (after row ${this.doneTo}); what follows is missing`);
    const { bad, report = 'above' } = summary;
    if (bad > 0) throw new RequestError(`${bad} row(s) were left out: see ${report}`);
  }

  /** What was done, also by an import that did not come to its end. */
  private tell(of: Parameters<typeof importText>[1]): ImportSummary {
    const { dryRun } = this.options;
    const { count, place } = this.rejected;
    const report = count > 0 && place !== undefined ? { report: place } : {};
    const summary = { ...this.tally.summary(), ...(dryRun === true ? { dryRun } : {}), ...report };
    this.session.show(summary, z.looseObject({}), () => importText(summary, of));
    return summary;
  }

  private async send(): Promise<void> {
    try {
      await this.sendAll();
    } catch (error) {
      this.interruption.abort();
      await Promise.allSettled(this.underWay);
      throw error;
    } finally {
      this.progress?.clear();
      await this.rejected.close();
    }
  }

  /** Portions are under way side by side, and awaited in the order of the file. */
  private async sendAll(): Promise<void> {
    const { skip = 0, format } = this.options;
    const isInput = this.file === STANDARD_INPUT;
    const source = isInput ? { path: 'standard input', input: this.session.io.readInPieces() } : { path: this.file };
    const rows = readRows({ ...source, format, onRead: (bytes) => (this.bytesRead += bytes) });
    const { underWay } = this;
    const next = async (): Promise<void> => {
      this.doneTo = (await this.unlessInterrupted(underWay[0])) ?? this.doneTo;
      void underWay.shift();
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
    const { signal } = this.interruption;
    const bodyText = `{"dryRun":${String(dryRun)},"rows":[${rows.map(({ text }) => text).join(',')}]}`;
    const answer = await patiently(
      () => this.session.api.request('POST', ['apps', app, 'installations', 'import'], { bodyText, signal }),
      { limitMs: PATIENCE_MS, signal, onWait: (error) => this.tellWait(error) },
    );
    this.isWaitTold = false;
    return expected(importAnswerSchema, answer);
  }

  private tellWait({ message }: RequestError): void {
    if (!this.isWaitTold) this.progress?.note(`waiting: ${message}`);
    this.isWaitTold = true;
  }

  private async unlessInterrupted<T>(work: Promise<T> | undefined): Promise<T | undefined> {
    const { signal } = this.interruption;
    const either = signal.aborted ? undefined : Promise.race([work, this.interrupted]);
    const done = await either?.catch((error: unknown) => {
      // What was under way ends with the interruption, and may be heard of first.
      if (!signal.aborted) throw error;
    });
    if (signal.aborted) throw new Interrupted('interrupted');
    return done ?? undefined;
  }

  /** How to go on where the import stopped; throws what is not of that kind. */
  private stopped(error: unknown): RequestError | Interrupted {
    if (!(error instanceof RequestError || error instanceof Interrupted)) throw error;
    const again = `run the same command again to go on; with --skip ${this.doneTo} it begins where this one stopped`;
    const message = `${error.message}\nstopped after row ${this.doneTo}; ${again}`;
    return error instanceof Interrupted ? new Interrupted(message) : new RequestError(message, { cause: error });
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
