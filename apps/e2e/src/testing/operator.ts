import { execFile } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { Fleet } from '../fleet';
import { ROOT } from './document-examples';

interface Check {
  readonly check: string;
  readonly subject: string;
  readonly status: string;
}

/** Who types what the documents say, at the fleet of a test. */
export class Operator {
  constructor(
    private readonly fleet: Fleet,
    /** Where the commands are typed. */
    private readonly folder: string,
  ) {}

  /** What a command of the shell writes; `pushfleet` is on the PATH. */
  async type(text: string): Promise<string> {
    const env = {
      ...process.env,
      PATH: [join(ROOT, 'node_modules/.bin'), process.env['PATH']].join(delimiter),
      PUSHFLEET_URL: this.fleet.url('console'),
      ADMIN_TOKEN: this.fleet.env['ADMIN_TOKEN'] ?? '',
    };
    const args = ['-euo', 'pipefail', '-c', text];
    const { stdout } = await promisify(execFile)('bash', args, { cwd: this.folder, env });
    return stdout;
  }

  /** What the doctor finds to be other than fine, by name and subject. */
  async complaints(): Promise<readonly string[]> {
    const { checks } = JSON.parse(await this.type('pushfleet doctor --json || true')) as { checks: readonly Check[] };
    return checks
      .filter(({ status }) => status !== 'ok')
      .map(({ check, subject, status }) => `${check} ${subject} ${status}`.replace(/ +/g, ' '));
  }
}
