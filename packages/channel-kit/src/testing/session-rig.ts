import { messageFor, type JsonObject } from '@pushfleet/domain';
import type { ChannelDeps, VendorChannel } from '../channel';
import type { ChannelSession, PushBatch } from '../vendor-session';
import { openTokenCache } from '../token-cache';
import { memoryTokenStore } from './memory-token-store';
import type { MakeSimulator } from './simulator';
import { simulatorHttp, type SimulatorHttp } from './simulator-http';

export interface SessionRig {
  readonly http: SimulatorHttp;
  readonly deps: ChannelDeps;
  readonly session: ChannelSession;
  /** Of the calls so far, without the first, which asks for a token. */
  paths(): readonly string[];
}

export interface RigParts {
  readonly makeSimulator: MakeSimulator;
  readonly profile: JsonObject;
  readonly now: () => number;
}

/** A session of a channel with its simulator, for tests in the channel's own folder. */
export function openSessionRig(channel: VendorChannel, { makeSimulator, profile, now }: RigParts): SessionRig {
  const http = simulatorHttp(makeSimulator({ now }));
  const deps = { http, tokens: openTokenCache(memoryTokenStore(), now), now, origins: channel.endpoints };
  const paths = () => http.requests.slice(1).map(({ path }) => path);
  return { http, deps, session: channel.open(profile, deps), paths };
}

export interface MessageWish {
  readonly data: JsonObject;
  /** The sender's section for the channel, as the channel's `parseSection` leaves it. */
  readonly section?: JsonObject;
  readonly notificationChannel?: string;
}

/** A batch of a message as the named channel is given it. */
export function batchFor(channel: string, wish: MessageWish, over: Partial<PushBatch> = {}): PushBatch {
  const { section, ...message } = wish;
  return {
    pushId: 'pushidpushidpush',
    batchId: 'batch-1',
    message: messageFor({ ...message, sections: section ? { [channel]: section } : {} }, channel),
    app: { name: 'Demo', overlong: 'truncate', intentHost: 'cn.leancloud.push' },
    registrationIds: ['r1', 'r2'],
    ttlMs: 3_600_000,
    ...over,
  };
}
