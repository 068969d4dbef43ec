import { open, type FileHandle } from 'node:fs/promises';
import { systemCode, UsageError } from './errors';
import type { Io } from './io';
import { requireWritable } from './require-writable';

export interface RejectedRow {
  readonly row: number;
  readonly reason: string;
  readonly objectId?: string | undefined;
}

/** The path that stands for standard error. */
const STANDARD_ERROR = '-';

interface RejectedTo {
  readonly path: string;
  /** Whether the run before, whose rows are left out, has told of them there. */
  readonly isContinued: boolean;
}

/** A file of JSON lines that is made when there is something to tell, in the place of the one of the run before or behind it. */
export class RejectedRows {
  private file: Promise<FileHandle> | undefined;
  count = 0;

  constructor(
    private readonly to: RejectedTo,
    private readonly io: Pick<Io, 'writeErr'>,
  ) {}

  /** Where the rows are told; undefined: on standard error. */
  get place(): string | undefined {
    return this.to.path === STANDARD_ERROR ? undefined : this.to.path;
  }

  /** Rejects when the file could not be written, before there is anything to tell. */
  async check(): Promise<void> {
    if (this.place === undefined) return;
    try {
      await requireWritable(this.place);
    } catch (error) {
      throw this.unwritable(error);
    }
  }

  async add(row: RejectedRow): Promise<void> {
    this.count += 1;
    const line = `${JSON.stringify(row)}\n`;
    if (this.place === undefined) return this.io.writeErr(line);
    this.file ??= open(this.to.path, this.to.isContinued ? 'a' : 'w').catch((error: unknown) => {
      throw this.unwritable(error);
    });
    await (await this.file).appendFile(line);
  }

  async close(): Promise<void> {
    await (await this.file?.catch(() => undefined))?.close();
  }

  private unwritable(cause: unknown): UsageError {
    const code = systemCode(cause) ?? 'unknown error';
    const message = `${this.to.path}: bad rows cannot be told there (${code}); --report names another file, or - for standard error`;
    return new UsageError(message, { cause });
  }
}
