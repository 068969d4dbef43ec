import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { endWithProcess } from './end-with-process';
import { until } from './until';

const CLI = join(__dirname, '../../../apps/cli/dist/main.js');

/** As `pushfleet devices --json` prints them. */
export interface DeviceCounts {
  readonly registered: number;
  readonly connected: number;
  readonly received: number;
  readonly acked: number;
  readonly duplicates: number;
  readonly reconnects: number;
  readonly failures: number;
}

export interface DeviceSummary extends DeviceCounts {
  /** By the id of the push: devices that got it and that sent an acknowledgement, each counted once. */
  readonly messages: Readonly<Record<string, { readonly received: number; readonly acked: number }>>;
}

export interface CrowdOptions {
  readonly ingressUrl: string;
  readonly app: { readonly id: string; readonly key: string };
  readonly count: number;
  /** More arguments of `pushfleet devices`. */
  readonly args?: readonly string[];
}

type Line = ({ readonly isLast: false } & DeviceCounts) | ({ readonly isLast: true } & DeviceSummary);

/** Many devices in processes of their own, as the command line starts them. */
export class DeviceCrowd {
  private latest: DeviceCounts | undefined;
  private summary: DeviceSummary | undefined;
  private errors = '';
  private readonly closed: Promise<unknown>;

  private constructor(private readonly child: ChildProcessByStdio<Writable, Readable, Readable>) {
    this.closed = once(child, 'close');
    createInterface(child.stdout).on('line', (text) => this.hear(JSON.parse(text) as Line));
    child.stderr.on('data', (chunk: Buffer) => (this.errors = (this.errors + chunk.toString()).slice(-5000)));
  }

  static start({ ingressUrl, app, count, args = [] }: CrowdOptions): DeviceCrowd {
    const given = ['devices', '--json', '--report-every', '0.1', '--count', String(count), '--app-file', '-', ...args];
    const child = spawn(process.execPath, [CLI, ...given], {
      env: { PATH: process.env['PATH'], PUSHFLEET_INGRESS_URL: ingressUrl },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    endWithProcess(child);
    child.stdin.end(JSON.stringify(app));
    return new DeviceCrowd(child);
  }

  /** Resolves with the counts that the condition holds for. */
  until(condition: (counts: DeviceCounts) => boolean, timeoutMs = 60_000): Promise<DeviceCounts> {
    return until(
      () => {
        if (this.latest && condition(this.latest)) return this.latest;
        throw new Error(`${JSON.stringify(this.latest)}\n${this.errors}`);
      },
      { timeoutMs, everyMs: 20 },
    );
  }

  /** What it wrote to standard error. */
  get complaint(): string {
    return this.errors;
  }

  /** Interrupts it, as a user would. */
  stop(): Promise<DeviceSummary> {
    this.child.kill('SIGINT');
    return this.left();
  }

  /** Resolves when it has left. */
  async left(): Promise<DeviceSummary> {
    await this.closed;
    if (!this.summary) throw new Error(`the devices left without a word\n${this.errors}`);
    return this.summary;
  }

  private hear({ isLast, ...counts }: Line): void {
    this.latest = counts;
    if (isLast) this.summary = counts as DeviceSummary;
  }
}
