/// <reference types="jest" />
import { inspect } from 'node:util';
import { messageFor, type DiscardReason, type JsonObject, type Outcome } from '@pushfleet/domain';
import type { VendorChannel } from '../channel';
import type { PushBatch, VendorSession } from '../vendor-session';
import { isChannelFault, type ChannelFault } from '../fault';
import { openTokenCache } from '../token-cache';
import { memoryTokenStore } from './memory-token-store';
import { SIMULATOR_SECRET, type ChannelSimulator, type MakeSimulator } from './simulator';
import { simulatorHttp, type SimulatorHttp } from './simulator-http';

export interface Subject {
  readonly channel: VendorChannel;
  readonly makeSimulator: MakeSimulator;
  /** A complete profile whose secrets are the one that simulators take for right. */
  readonly profile: JsonObject;
}

/** One session with a vendor of its own. */
export interface Trial {
  readonly simulator: ChannelSimulator;
  readonly http: SimulatorHttp;
  readonly session: VendorSession;
  send(batch?: BatchWish): Promise<readonly Outcome[]>;
  /** The fault of a call that must fail, after a look for secrets in it. */
  faultOf(call: Promise<unknown>): Promise<ChannelFault>;
}

export interface BatchWish {
  readonly data?: JsonObject;
  readonly registrationIds?: readonly string[];
  readonly batchId?: string;
  readonly ttlMs?: number;
  readonly overlong?: 'truncate' | 'reject';
}

export const APP_NAME = 'Contract App';
export const PUSH_ID = 'pushidpushidpush';
export const WRONG_SECRET = 'not-the-right-one';
const NOW = Date.UTC(2026, 0, 15, 4);

export const RECEIPT_URL = 'https://push.example.com/push/v1/callback/channel/app/profile/key';

export const never: AbortSignal = new AbortController().signal;

export const devices = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `reg-${String(i).padStart(6, '0')}`);

export function withWrongSecret(profile: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(profile).map(([key, value]) => [key, value === SIMULATOR_SECRET ? WRONG_SECRET : value]),
  );
}

export function openTrial({ channel, makeSimulator, profile }: Subject, opened: JsonObject = profile): Trial {
  const now = (): number => NOW;
  const simulator = makeSimulator({ now });
  const http = simulatorHttp(simulator);
  const store = memoryTokenStore();
  const deps = { http, tokens: openTokenCache(store, now), now, origins: channel.endpoints };
  const session = channel.open(opened, deps);
  return {
    simulator,
    http,
    session,
    send: (wish = {}) => session.send(batchOf(channel, wish), never),
    async faultOf(call) {
      const error: unknown = await call.then(
        (value) => value,
        (reason: unknown) => reason,
      );
      if (!isChannelFault(error)) throw new Error(`a fault was expected, not ${inspect(error, { depth: 4 })}`);
      const words = `${inspect(error, { depth: 10 })} ${JSON.stringify(error)}`;
      for (const secret of [SIMULATOR_SECRET, WRONG_SECRET, ...store.values]) expect(words).not.toContain(secret);
      return error;
    },
  };
}

export function batchOf(channel: VendorChannel, wish: BatchWish): PushBatch {
  const data = wish.data ?? { alert: 'Hello', title: 'Greeting', colour: 'blue' };
  return {
    pushId: PUSH_ID,
    batchId: wish.batchId ?? 'batch-1',
    message: messageFor({ data, sections: {} }, channel.name),
    app: { name: APP_NAME, overlong: wish.overlong ?? 'truncate', intentHost: 'cn.leancloud.push' },
    registrationIds: wish.registrationIds ?? devices(1),
    ttlMs: wish.ttlMs ?? 3_600_000,
    receiptUrl: RECEIPT_URL,
  };
}

/** A session that has already sent once, to so many devices, and the path it sent to. */
export async function openWarmTrial(subject: Subject, count = 1): Promise<Trial & { readonly sendPath: string }> {
  const trial = openTrial(subject);
  await trial.send({ registrationIds: devices(count) });
  return { ...trial, sendPath: trial.http.requests.at(-1)?.path ?? '' };
}

/** Whether the channel asks for an access token before it sends. */
export async function needsToken(subject: Subject): Promise<boolean> {
  const { http } = await openWarmTrial(subject);
  return http.requests.length > 1;
}

export const kindsOf = (outcomes: readonly Outcome[]): string[] => outcomes.map((outcome) => outcome.kind);

export function expectDiscards(outcomes: readonly Outcome[], reason: DiscardReason): void {
  for (const outcome of outcomes) expect(outcome).toMatchObject({ kind: 'discarded', reason });
}

/** Runs a call that must throw and gives back what it threw. */
export function thrownBy(call: () => unknown): Error {
  try {
    call();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('an error was expected');
}
