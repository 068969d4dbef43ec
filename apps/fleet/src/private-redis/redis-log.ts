import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const LOG_FILE = 'redis.log';

/** What a Redis writes of its troubles, behind what earlier ones in its folder wrote. */
export class RedisLog {
  readonly file: string;
  private earlier = 0;

  constructor(dir: string) {
    this.file = join(dir, LOG_FILE);
  }

  /** What is there belongs to earlier ones. */
  begin(): void {
    this.earlier = this.text().length;
  }

  lastLine(): string {
    return (
      this.text().slice(this.earlier).trimEnd().split('\n').at(-1) || 'it wrote no log; look whether the disk is full'
    );
  }

  private text(): string {
    try {
      return readFileSync(this.file, 'utf8');
    } catch {
      return '';
    }
  }
}
