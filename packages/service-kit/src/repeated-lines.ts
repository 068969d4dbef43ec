import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import type { Logger, LogFn } from 'pino';

const TELL_EVERY_MS = 60_000;

/** Longer than the 10 s between two rounds of the slowest periodic work; what fails after such a silence is another failure. */
const SILENT_MS = 15_000;

const MOST_KINDS = 500;
const ENDED = 'a failure that was told does not happen any more';
const FORGOTTEN = 'a failure that was told is counted anew';

const MOST_CHARACTERS = 1000;
/** Deeper than causes go. */
const MOST_CAUSES = 4;

interface Line {
  readonly log: Logger;
  readonly message: string;
  /** Beside the error. */
  readonly fields: object;
}

interface Kind extends Line {
  readonly beganAt: number;
  readonly toldAt: number;
  readonly failedAt: number;
  readonly times: number;
  /** Since it was told. */
  readonly more: number;
}

/**
 * While Redis or a vendor is away, a process fails at the same things several times a second. A line with an error that says what
 * one of the last minute said is counted and not written: the next one after that minute tells how many there were, and a line
 * says so when it has not happened again. Lines that differ in anything, a job or an app, are all written.
 */
export class RepeatedLines {
  private readonly kinds = new Map<string, Kind>();
  private timer: NodeJS.Timeout | undefined;

  /** The hook of pino through which every line goes. */
  readonly hook = (log: Logger, args: Parameters<LogFn>, write: LogFn): void => {
    const [fields, message] = args as readonly unknown[];
    if (!hasError(fields)) return write.apply(log, args);
    const { err, ...others } = fields;
    const line = { log, message: String(message), fields: others };
    const more = this.count(keyOf(line, err), line);
    if (more === 0) write.apply(log, args);
    else if (more !== undefined) write.apply(log, [{ ...fields, more }, line.message]);
  };

  /** How often it happened since it was last told; undefined when it is not to be told now. */
  private count(key: string, line: Line): number | undefined {
    const at = performance.now();
    const last = this.lasting(key, at);
    this.timer ??= setTimeout(() => this.endSilent(), SILENT_MS).unref();
    if (last && at - last.toldAt < TELL_EVERY_MS) {
      this.kinds.set(key, { ...last, failedAt: at, times: last.times + 1, more: last.more + 1 });
      return undefined;
    }
    if (!last) this.makeRoom();
    const { beganAt, times, more } = last ?? { beganAt: at, times: 0, more: 0 };
    this.kinds.set(key, { ...line, beganAt, toldAt: at, failedAt: at, times: times + 1, more: 0 });
    return more;
  }

  private lasting(key: string, at: number): Kind | undefined {
    const last = this.kinds.get(key);
    return last && isSilent(last, at) ? this.end(key, last) : last;
  }

  private endSilent(): void {
    const at = performance.now();
    for (const [key, kind] of this.kinds) if (isSilent(kind, at)) this.end(key, kind);
    this.timer = this.kinds.size > 0 ? setTimeout(() => this.endSilent(), SILENT_MS).unref() : undefined;
  }

  /** What happened once has been told. */
  private end(key: string, { log, message, fields, times, beganAt, failedAt }: Kind, why = ENDED): undefined {
    this.kinds.delete(key);
    const lastedMs = Math.round(failedAt - beganAt);
    if (times > 1) log.info({ ...fields, what: message, times, lastedMs }, why);
  }

  private makeRoom(): void {
    const [oldest] = this.kinds;
    if (oldest && this.kinds.size >= MOST_KINDS) this.end(...oldest, FORGOTTEN);
  }
}

const isSilent = ({ failedAt }: Kind, at: number): boolean => at - failedAt >= SILENT_MS;

const hasError = (fields: unknown): fields is { readonly err: unknown } =>
  typeof fields === 'object' && fields !== null && 'err' in fields;

const keyOf = ({ log, message, fields }: Line, err: unknown): string =>
  [message, inspect(fields), inspect(log.bindings()), sameOf(err)].join('\n').slice(0, MOST_CHARACTERS);

/** Redis names the script and its line, or the slot: dozens of scripts and thousands of slots are refused for the same reason. */
const WHERE_IN_REDIS = / script: [0-9a-f]{40}\b.*$|(?<=\b(?:MOVED|ASK)) \d+/gs;

function sameOf(error: unknown, level = 0): string {
  if (!isNativeError(error)) return inspect(error);
  const { code } = error as NodeJS.ErrnoException;
  const cause = error.cause === undefined || level > MOST_CAUSES ? '' : sameOf(error.cause, level + 1);
  return [error.name, code, error.message.replace(WHERE_IN_REDIS, ''), cause].join(' ');
}
