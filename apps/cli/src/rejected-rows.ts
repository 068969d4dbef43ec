import { open, type FileHandle } from 'node:fs/promises';
import { fileError } from './errors';

export interface RejectedRow {
  readonly row: number;
  readonly reason: string;
  readonly objectId?: string | undefined;
}

/** A file of JSON lines that is made when there is something to tell, in the place of the one of the run before. */
export class RejectedRows {
  private file: Promise<FileHandle> | undefined;
  count = 0;

  constructor(readonly path: string) {}

  async add(row: RejectedRow): Promise<void> {
    this.count += 1;
    this.file ??= open(this.path, 'w').catch((cause: unknown) => {
      throw fileError(this.path, 'written', cause);
    });
    await (await this.file).appendFile(`${JSON.stringify(row)}\n`);
  }

  async close(): Promise<void> {
    await (await this.file?.catch(() => undefined))?.close();
  }
}
