import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { z } from 'zod';
import type { Api } from '../api';
import { Interrupted, RequestError } from '../errors';
import type { Io } from '../io';
import { ERASE_LINE } from '../output/printable';
import { thousands } from '../output/progress';
import { pushSchema, pushText, type Push } from '../output/push-record';
import { patiently, type Patience } from '../patient-request';
import { addLeaf, understood } from './command';
import { duration } from './option-values';
import { addAppFile, openSender, type Sender, type SenderOptions } from './sender';

const PUSH = ['<push>', 'objectId or notification id of the push'] as const;

interface WatchOptions extends SenderOptions {
  /** In ms. */
  readonly for?: number;
}

export function addWatch(pushes: Command, io: Io): void {
  const command = addLeaf(pushes, {
    name: 'watch',
    summary: 'show how far a push is, channel by channel, until it is done; then its record',
    examples: ['pushes watch PUSH_ID', 'pushes watch PUSH_ID --for 10m --json'],
    args: [PUSH],
  });
  addAppFile(command)
    .option('--for <duration>', 'end after this time, such as 10m (default: when the push is done)', duration)
    .action(async (push: string, options: WatchOptions) =>
      watchPush(io, await openSender(io, options), { push, ...options }),
    );
}

interface Watched extends WatchOptions {
  readonly push: string;
}

/** Between two looks: at first, and at most. */
const PAUSE_MS = { first: 500, longest: 5000 };
/** A push API that is away for longer is given up. */
const PATIENCE_MS = 60_000;

/** Ends with the push, when its time is over, or when it is interrupted: to stop watching stops nothing else. */
export async function watchPush(io: Io, { api, show }: Sender, { push, for: wishedMs }: Watched): Promise<void> {
  const interrupted = new AbortController();
  void io.untilInterrupted().then(() => interrupted.abort());
  const endAt = performance.now() + (wishedMs ?? Infinity);
  const line = openLine(io);
  let pauseMs = PAUSE_MS.first;
  for (;;) {
    const limitMs = Math.min(PATIENCE_MS, endAt - performance.now());
    const answer = await look(api, push, { limitMs, signal: interrupted.signal });
    const record = understood(pushSchema, answer);
    line.show(progressOf(record));
    if (isOver(record)) {
      line.clear();
      return show(answer, pushSchema, pushText);
    }
    if (performance.now() >= endAt)
      throw new RequestError(`push ${push} was not done by then; its status is ${record.status}`);
    await delay(Math.min(pauseMs, endAt - performance.now() + 1), undefined, { signal: interrupted.signal }).catch(
      () => undefined,
    );
    pauseMs = Math.min(PAUSE_MS.longest, pauseMs * 2);
    if (interrupted.signal.aborted) throw new Interrupted(`push ${push} goes on; pushes watch shows it again`);
  }
}

async function look(api: Api, push: string, bounds: Omit<Patience, 'onWait'>): Promise<unknown> {
  const ask = () => api.request('GET', ['notifications', push]);
  const answer = await patiently(ask, { ...bounds, onWait: () => undefined });
  if (!isNothing(answer)) return answer;
  throw new RequestError(`there is no push ${push}: it was cancelled, is no longer kept, or never was`);
}

const isOver = ({ status }: Push): boolean => status === 'done' || status === 'error';

function progressOf({ status, channels, waiting = [] }: Push): string {
  const parts = Object.entries(channels).map(([channel, books]) => {
    const counts = [`${channel} ${thousands(books.matched - books.outstanding)} of ${thousands(aheadOf(books))}`];
    const refused = [books.discarded, books.failed].flatMap((reasons) => Object.values(reasons));
    const lost = refused.reduce((a, b) => a + b, 0);
    const reasons = waiting.filter((wait) => wait.channel === channel).map(({ reason }) => reason);
    return [...counts, ...(lost === 0 ? [] : [`${thousands(lost)} not accepted`]), ...new Set(reasons)].join(', ');
  });
  return parts.length === 0 ? status : parts.join('; ');
}

const aheadOf = ({ matched, expected }: Push['channels'][string]): number =>
  Math.max(matched, typeof expected === 'number' ? expected : 0);

/** One line that changes at a terminal; elsewhere a line whenever it would. */
function openLine(io: Io): { show(text: string): void; clear(): void } {
  let shown = '';
  return {
    show(text) {
      if (text !== shown) io.writeErr(io.isTerminal ? `${ERASE_LINE}${text}` : `${text}\n`);
      shown = text;
    },
    clear() {
      if (io.isTerminal) io.writeErr(ERASE_LINE);
    },
  };
}

const cancelledSchema = z.looseObject({ cancelled: z.number(), sent: z.number(), outstanding: z.number() });

export function addCancel(pushes: Command, io: Io): void {
  const command = addLeaf(pushes, {
    name: 'cancel',
    summary: 'cancel a push: what was not sent yet is not sent',
    examples: ['pushes cancel PUSH_ID'],
    args: [PUSH],
  });
  addAppFile(command).action(async (push: string, options: SenderOptions) => {
    const { api, show } = await openSender(io, options);
    const answer = await api.request('DELETE', ['notifications', push]);
    if (isNothing(answer)) throw new RequestError(`there is no push ${push}`);
    show(answer, cancelledSchema, cancelText);
  });
}

/** What the push API answers where there is no such push. */
const isNothing = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).length === 0;

const cancelText = ({ cancelled, sent, outstanding }: z.output<typeof cancelledSchema>): string =>
  `cancelled for ${thousands(cancelled)} devices, after ${thousands(sent)} were accepted; ` +
  `${thousands(outstanding)} have no verdict yet\n`;
