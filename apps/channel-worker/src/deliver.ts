import { hash } from 'node:crypto';
import type { PushBatch } from '@pushfleet/channel-kit';
import { messageFor, onlyChannelOf, receiptUrl, type Reason } from '@pushfleet/domain';
import { isUnreadableSecret, profileKey, type PushToSend, type Store, type WalkedDevice } from '@pushfleet/store';
import type { CallLimits } from './pace/call-limits';
import { callEnd } from './pace/call-result';
import { sendCalls, type PageResult } from './page-calls';
import { bugResult, sendBatch, type SendPorts } from './send-batch';
import { refusal, type BatchResult, type Retry } from './verdict';
import { UNREADABLE_WAIT_MS, type OpenedSession, type Sessions } from './sessions';
import type { Shares } from './shares';
import { withinQuota } from './within-quota';

export interface DeliverPorts extends SendPorts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly channel: string;
  /** Devices in one vendor call. */
  readonly maxBatch: number;
  /** Calls of the vendor that may be under way. */
  readonly calls: Shares;
  /** How many of one profile may be, learned from how they end. */
  readonly limits: Pick<CallLimits, 'begin'>;
  /** Base of the vendors' callback addresses; undefined: no receipts are asked for. */
  readonly ingressPublicUrl: string | undefined;
  /** How the channel names devices; absent: by their registrationId. */
  readonly addressedBy?: 'registrationId' | 'objectId';
  readonly now: () => number;
  /** Called when the vendor is called for devices for the first time, so long after their push was accepted. */
  onFirstCall(isAddressed: boolean, waitedMs: number): void;
}

export interface Delivery {
  readonly push: PushToSend;
  readonly profile: string;
  readonly devices: readonly WalkedDevice[];
  readonly tries: number;
  /** Of these, those that ended in what is tried a few times only. */
  readonly limited: number;
  /** Earlier calls for the devices that the vendor may have taken. */
  readonly unknowns: number;
  /** The push names its devices. */
  readonly isAddressed: boolean;
  /** How the devices are booked if the push has expired: by the fault of an earlier try rather than as `expired`. */
  readonly booksAs: Reason | undefined;
  /** Calls under way at once. */
  readonly width: number;
  /** One device goes first. */
  readonly isProbe: boolean;
  /** What of the page has to be repeated is one page again, whatever part of it was called for. */
  readonly isStored: boolean;
  /** The push waits because of unrecognised answers: one more of them is no reason to give up. */
  readonly isHeld: boolean;
  /** Called when a call for so many devices begins; the returned function notes its end. */
  onCallBegin(devices: number): () => void;
  /** Called when a call has ended. Resolves with what becomes of its devices. */
  onCallEnd(result: BatchResult): Promise<BatchResult>;
  /** Why no further call may begin. */
  hold(): Retry | undefined;
}

/** The secrets were sealed with a key that this process does not have, between the admission of a page and its call. */
const UNREADABLE: Retry = { pause: 'wait', retryAfterMs: UNREADABLE_WAIT_MS, booksAs: 'internal-error', words: {} };

/** Sends one page to the vendor, unless the push or its profile forbids the call. Never rejects. */
export async function deliver(ports: DeliverPorts, delivery: Delivery): Promise<PageResult> {
  try {
    return await attempt(ports, delivery);
  } catch (error) {
    // The vendor was not called: a worker that can open the credentials sends the page.
    if (isUnreadableSecret(error)) return { verdicts: delivery.devices.map(() => undefined), retry: UNREADABLE };
    ports.onBug(error, delivery.push);
    const result = bugResult({ devices: delivery.devices.length, limited: delivery.limited });
    return 'retry' in result ? { verdicts: delivery.devices.map(() => undefined), retry: result.retry } : result;
  }
}

async function attempt(ports: DeliverPorts, delivery: Delivery): Promise<PageResult> {
  const { push, profile, devices, unknowns } = delivery;
  const all = (reason: Reason): PageResult => ({ verdicts: devices.map(() => refusal(reason)) });
  if (devices.length === 0) return { verdicts: [] };
  if (push.isCancelled) return all('cancelled');
  if (push.expiresAt <= ports.now()) return all(delivery.booksAs ?? 'expired');
  const app = await ports.store.apps.getCached(push.app);
  const address = { app: push.app, channel: ports.channel, profile };
  const opened = app && (await ports.sessions.get(address));
  if (!app || !opened) return all('profile-missing');
  const page = {
    pushId: push.pushId,
    message: messageFor(push.content, ports.channel, onlyChannelOf(push.audience)),
    app,
    receiptUrl: receiptUrl(ports.ingressPublicUrl, { receiptKey: opened.receiptKey, ...address }),
  };
  const send = (served: readonly WalkedDevice[]): Promise<PageResult> =>
    sendCalls({
      devices: served,
      maxBatch: ports.maxBatch,
      width: delivery.width,
      first: firstOf(delivery, opened, ports.maxBatch),
      begin: () => roomFor(ports.calls, profileKey({ app: push.app, profile })),
      end: () => ports.calls.free(profileKey({ app: push.app, profile })),
      send: (some) => callFor(ports, { delivery, opened, page }, some),
      hold: delivery.hold,
    });
  const onError = (error: unknown): void => ports.onBug(error, push);
  const counted = { quotas: ports.store.quotas, onError };
  const result = await withinQuota(counted, { app, devices, unknowns }, send);
  return looksLikeWrongApp(result) && !opened.hasAccepted ? { ...result, isSuspect: true } : result;
}

interface OpenedPage {
  readonly delivery: Delivery;
  readonly opened: OpenedSession;
  /** What all calls of the page have in common. */
  readonly page: Omit<PushBatch, 'batchId' | 'registrationIds' | 'ttlMs'>;
}

/** Devices of the first call, which goes alone. Where a call is known by all its devices, a repeat for one of them is another call. */
function firstOf({ isProbe, isStored }: Delivery, { repeats, hasAccepted }: OpenedSession, maxBatch: number): number {
  const isOneCall = isStored && repeats.deduplicates === 'every-call' && repeats.repeatUnknown === 'default';
  if (isProbe) return isOneCall ? maxBatch : 1;
  return hasAccepted ? 0 : maxBatch;
}

async function roomFor(calls: Shares, profile: string): Promise<void> {
  let isMine = false;
  while (!isMine) isMine = await calls.take(profile);
}

/** Makes one call. Never rejects. */
async function callFor(
  ports: DeliverPorts,
  { delivery, opened, page }: OpenedPage,
  devices: readonly WalkedDevice[],
): Promise<BatchResult> {
  const { push, tries, limited, unknowns, isAddressed, isHeld } = delivery;
  const end = delivery.onCallBegin(devices.length);
  try {
    const ttlMs = push.expiresAt - ports.now();
    if (ttlMs <= 0) return { verdicts: devices.map(() => refusal(delivery.booksAs ?? 'expired')) };
    if (tries === 0) ports.onFirstCall(isAddressed, ports.now() - push.pushTime);
    const registrationIds = devices.map((device) => device[ports.addressedBy ?? 'registrationId']);
    const batch = { batchId: batchIdOf(push.pushId, devices), registrationIds, ttlMs, ...page };
    const partId = (places: readonly number[]): string =>
      batchIdOf(
        push.pushId,
        places.flatMap((place) => devices[place] ?? []),
      );
    const call = { app: push.app, batch, partId, tries, limited, unknowns, isAddressed, isHeld };
    const of = profileKey({ app: push.app, profile: delivery.profile });
    const result = await measured(ports.limits.begin(of), () => sendBatch(ports, opened, call));
    return await delivery.onCallEnd(result);
  } catch (error) {
    ports.onBug(error, push);
    return bugResult({ devices: devices.length, limited });
  } finally {
    end();
  }
}

async function measured(
  ended: ReturnType<CallLimits['begin']>,
  send: () => Promise<BatchResult>,
): Promise<BatchResult> {
  let result: BatchResult | undefined;
  try {
    result = await send();
    return result;
  } finally {
    ended(result && callEnd(result));
  }
}

/** The name of a call comes from its devices: a repeat has the same, for a part of a batch that goes on alone too. */
function batchIdOf(pushId: string, devices: readonly WalkedDevice[]): string {
  const name = [devices[0]?.objectId, devices.at(-1)?.objectId, devices.length].join(' ');
  return `${pushId}-${hash('sha256', name, 'hex').slice(0, 20)}`;
}

/**
 * Every one of several devices is dead and no device was ever accepted: credentials of another app look like this, so the
 * registrations stay.
 */
function looksLikeWrongApp({ verdicts }: PageResult): boolean {
  return verdicts.length > 1 && verdicts.every((verdict) => verdict?.kind === 'discarded' && isGone(verdict));
}

const isGone = ({ reason }: { readonly reason: Reason }): boolean => reason === 'registration-gone';
