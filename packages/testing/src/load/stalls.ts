import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder in which processes note how long their event loops were held up. */
export const STALL_FOLDER = 'PUSHFLEET_TEST_STALLS';

const PROBE = join(__dirname, '../../dist/load/stall-probe.js');

/** How long, on a processor, processes computed between two rounds of their event loops. */
export class Stalls {
  private readonly folder = mkdtempSync(join(tmpdir(), 'pushfleet-stalls-'));

  /** What processes that shall be watched have in their environment. */
  readonly settings = { NODE_OPTIONS: `--require ${PROBE}`, [STALL_FOLDER]: this.folder };

  /** The longest in milliseconds since it was asked last; what is too short to matter counts as 0. */
  worst(pid: number): number {
    const file = join(this.folder, String(pid));
    if (!existsSync(file)) return 0;
    const text = readFileSync(file, 'utf8');
    rmSync(file);
    return Math.max(...text.trim().split('\n').map(Number));
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
