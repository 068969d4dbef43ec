import { readFileSync } from 'node:fs';

/**
 * How many times longer a process took for what it did than it had a processor for: 1 when it had one whenever it wanted.
 * Others on the machine are to blame for the rest. 1 where the system does not tell.
 */
export class ProcessorWait {
  private before: { readonly ran: number; readonly waited: number };

  constructor(private readonly pid: number) {
    this.before = timesOf(pid);
  }

  /** Since the beginning. */
  factor(): number {
    const { ran, waited } = timesOf(this.pid);
    const worked = Math.max(1, ran - this.before.ran);
    return (worked + waited - this.before.waited) / worked;
  }

  /** Milliseconds since the beginning in which it wanted a processor and had none. */
  waitedMs(): number {
    return (timesOf(this.pid).waited - this.before.waited) / NANOSECONDS;
  }
}

/** In a millisecond. */
const NANOSECONDS = 1e6;

function timesOf(pid: number): { readonly ran: number; readonly waited: number } {
  if (process.platform !== 'linux') return { ran: 0, waited: 0 };
  const [ran = 0, waited = 0] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ').map(Number);
  return { ran, waited };
}
