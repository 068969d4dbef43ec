import { fork, type ChildProcess } from 'node:child_process';
import type { FromCrowd, ToCrowd } from './crowd-messages';
import type { DevicePlan, Share } from './plan';
import { mergeMessages, newTally, sumOf, type Messages, type Tally } from './tally';

export interface CrowdSummary {
  readonly tally: Tally;
  readonly messages: Messages;
}

/** Several processes with devices, as one crowd. */
export class CrowdProcesses {
  /** Settles when it is no use to go on. */
  readonly hopeless: Promise<never>;
  private readonly members: readonly Member[];
  private fail: (error: Error) => void = () => undefined;

  constructor(plan: DevicePlan, shares: readonly Share[]) {
    this.hopeless = new Promise<never>((_, reject) => (this.fail = reject));
    this.hopeless.catch(() => undefined);
    this.members = shares.map((share) => new Member({ plan, share }, (error) => this.fail(error)));
  }

  get tally(): Tally {
    return sumOf(this.members.map(({ tally }) => tally));
  }

  /** Why something failed that will be tried again; undefined as long as nothing has. */
  get lastFailure(): string | undefined {
    return this.members.find(({ lastFailure }) => lastFailure !== undefined)?.lastFailure;
  }

  async stop(): Promise<CrowdSummary> {
    const messages = await Promise.all(this.members.map((member) => member.stop()));
    return { tally: this.tally, messages: mergeMessages(messages) };
  }
}

class Member {
  tally = newTally();
  lastFailure: string | undefined;
  private messages: Messages = {};
  private isStopping = false;
  private readonly child: ChildProcess;
  private readonly left: Promise<void>;

  constructor(start: { plan: DevicePlan; share: Share }, fail: (error: Error) => void) {
    this.child = fork(require.resolve('./crowd-process'), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    // The key of the app travels by message: arguments are for everybody to see.
    this.tell({ kind: 'start', ...start });
    this.child.on('message', (message: FromCrowd) => this.hear(message, fail));
    this.left = new Promise((resolve) =>
      this.child.on('exit', (code, signal) => {
        if (!this.isStopping) fail(new Error(`a process with devices left (${signal ?? String(code)})`));
        resolve();
      }),
    );
  }

  async stop(): Promise<Messages> {
    this.isStopping = true;
    if (this.child.connected) this.tell({ kind: 'stop' });
    await this.left;
    return this.messages;
  }

  private tell(message: ToCrowd): void {
    this.child.send(message);
  }

  private hear(message: FromCrowd, fail: (error: Error) => void): void {
    if (message.kind === 'hopeless') return fail(new Error(message.message));
    this.tally = message.tally;
    if (message.kind === 'tally') this.lastFailure = message.lastFailure;
    if (message.kind === 'over') this.messages = message.messages;
  }
}
