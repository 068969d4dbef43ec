import { hash } from 'node:crypto';
import type { PushBatch } from '@pushfleet/channel-kit';
import { messageFor, onlyChannelOf, type Reason } from '@pushfleet/domain';
import { isUnreadableSecret, type PushToSend, type Store, type WalkedDevice } from '@pushfleet/store';
import type { Sessions } from './sessions';
import { bugResult, refusal, sendBatch, type BatchResult, type Retry, type SendPorts } from './send-batch';
import { withinQuota } from './within-quota';

export interface DeliverPorts extends SendPorts {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly channel: string;
  /** Base of the vendors' callback addresses; undefined: no receipts are asked for. */
  readonly ingressPublicUrl: string | undefined;
  /** What the channel knows devices by; absent: their registrationId. */
  readonly addressedBy?: 'registrationId' | 'objectId';
  readonly now: () => number;
}

export interface Delivery {
  readonly push: PushToSend;
  readonly profile: string;
  readonly devices: readonly WalkedDevice[];
  /** Names this batch within the push: the same for a repeat, different for any other batch. */
  readonly name: string;
  readonly tries: number;
  /** Earlier calls for the devices that may have been taken. */
  readonly unknowns: number;
  /** Of a push that names its devices. */
  readonly isAddressed: boolean;
  /** How the devices are booked if the push has expired; a fault of an earlier try knows better than `expired`. */
  readonly booksAs: Reason | undefined;
}

/** Between the admission of a page and its call the secrets were sealed with a key that this process does not have. */
const UNREADABLE: Retry = { pause: 'wait', retryAfterMs: 5000, booksAs: 'internal-error', words: {} };

/** Brings one page to the vendor, unless the push or its profile says that nobody shall be called. Never rejects. */
export async function deliver(ports: DeliverPorts, delivery: Delivery): Promise<BatchResult> {
  try {
    return await attempt(ports, delivery);
  } catch (error) {
    // Nobody was called: whoever can open the credentials sends it.
    if (isUnreadableSecret(error)) return { retry: UNREADABLE };
    ports.onBug(error, delivery.push.pushId);
    return bugResult({ devices: delivery.devices.length, tries: delivery.tries });
  }
}

async function attempt(ports: DeliverPorts, delivery: Delivery): Promise<BatchResult> {
  const { push, profile, devices } = delivery;
  const all = (reason: Reason): BatchResult => ({ verdicts: devices.map(() => refusal(reason)) });
  if (devices.length === 0) return all('internal-error');
  if (push.isCancelled) return all('cancelled');
  const ttlMs = push.expiresAt - ports.now();
  if (ttlMs <= 0) return all(delivery.booksAs ?? 'expired');
  const app = await ports.store.apps.settings(push.app);
  const opened = app && (await ports.sessions.get(push.app, profile));
  if (!app || !opened) return all('profile-missing');
  const send = (served: readonly WalkedDevice[]): Promise<BatchResult> => {
    const batch: PushBatch = {
      pushId: push.pushId,
      batchId: batchIdOf(push.pushId, delivery.name),
      message: messageFor(push.content, ports.channel, onlyChannelOf(push.audience)),
      app,
      registrationIds: served.map((device) => device[ports.addressedBy ?? 'registrationId']),
      ttlMs,
      receiptUrl: receiptUrl(ports, delivery, opened.receiptKey),
    };
    const { tries, unknowns, isAddressed } = delivery;
    return sendBatch(ports, opened, { batch, tries, unknowns, isAddressed });
  };
  const result = await withinQuota(ports.store.quotas, { app, devices, tries: delivery.tries }, send);
  return looksLikeWrongApp(result) && !opened.hasAccepted ? { ...result, isSuspect: true } : result;
}

const batchIdOf = (pushId: string, name: string): string => `${pushId}-${hash('sha256', name, 'hex').slice(0, 20)}`;

function receiptUrl(ports: DeliverPorts, { push, profile }: Delivery, receiptKey: string): string | undefined {
  if (ports.ingressPublicUrl === undefined) return undefined;
  const base = ports.ingressPublicUrl.replace(/\/$/, '');
  return `${base}/push/v1/callback/${ports.channel}/${push.app}/${profile}/${receiptKey}`;
}

/**
 * Every one of several devices is dead and nothing was ever accepted: that is what credentials of another app look like, so
 * the registrations stay.
 */
function looksLikeWrongApp(result: BatchResult): boolean {
  if (!('verdicts' in result) || result.verdicts.length < 2) return false;
  return result.verdicts.every((verdict) => verdict.kind === 'discarded' && verdict.reason === 'registration-gone');
}
