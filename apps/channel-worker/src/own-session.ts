import { ChannelFault, type ChannelSession, type PushBatch } from '@pushfleet/channel-kit';
import { hasMailbox, ownMessage, ownRefusal, type Discarded, type Outcome } from '@pushfleet/domain';
import { RedisFull, referenceOf, type MailboxPush, type PushToSend, type Store, type Stored } from '@pushfleet/store';
import type { OpenedSession, Sessions } from './sessions';

export interface OwnPorts {
  readonly store: Pick<Store, 'pushes' | 'installations' | 'mailboxes' | 'gateways'>;
  readonly now: () => number;
  /** Messages that a mailbox holds. */
  readonly mailboxMessages: number;
  /** How long a message waits at most. */
  readonly mailboxLifeMs: number;
  /** Called when a hint failed: the device gets the message when it connects again. */
  onHintLost(error: unknown): void;
  /** Called when messages had to make room in full mailboxes. */
  readonly onEvicted?: (messages: number) => void;
}

/** The session of the own channel, the same for every app: there are no credentials. */
export function openOwnSessions(ports: OwnPorts): Sessions {
  const session: ChannelSession = {
    send: (batch) => new OwnPage(ports, batch).send(),
    verify: () => Promise.resolve({ ok: true }),
  };
  const opened: OpenedSession = { session, receiptKey: '', budget: {}, repeats: MAILBOX, hasAccepted: true };
  return { get: () => Promise.resolve(opened) };
}

/** Putting a message into a mailbox twice leaves it there once. */
const MAILBOX = { repeatUnknown: 'default', deduplicates: 'every-call' } as const;

const MAILBOXES_FULL_RETRY_MS = 5000;

const discarded = (reason: Discarded['reason']): Discarded => ({ kind: 'discarded', reason });

/** Sends a page of devices, named by objectId: first into the mailboxes, then as hints to the gateways. */
class OwnPage {
  constructor(
    private readonly ports: OwnPorts,
    private readonly batch: Pick<PushBatch, 'pushId' | 'registrationIds'>,
  ) {}

  async send(): Promise<readonly Outcome[]> {
    const { store, now } = this.ports;
    const { pushId, registrationIds: objectIds } = this.batch;
    const push = await store.pushes.toSend(pushId);
    const message = push && this.messageOf(push);
    if (!message || message.expiresAt <= now()) return objectIds.map(() => discarded('expired'));
    const ids = await store.installations.installationIds(message.app, objectIds);
    const stored = await this.store(message, [...ids.values()].filter(hasMailbox));
    await this.tellGateways(message, stored);
    return objectIds.map((objectId) => outcomeOf(ids, objectId, pushId));
  }

  private messageOf(push: PushToSend): MailboxPush {
    const expiresAt = Math.min(push.expiresAt, push.pushTime + this.ports.mailboxLifeMs);
    return { pushId: push.pushId, app: push.app, text: ownMessage(push), expiresAt };
  }

  private async store(push: MailboxPush, installationIds: readonly string[]): Promise<readonly Stored[]> {
    try {
      const { mailboxMessages: limit, onEvicted } = this.ports;
      return await this.ports.store.mailboxes.put({ push, installationIds, limit, onEvicted });
    } catch (cause) {
      if (!(cause instanceof RedisFull)) throw cause;
      throw new ChannelFault('throttled', cause.message, { retryAfterMs: MAILBOXES_FULL_RETRY_MS, cause });
    }
  }

  /** One hint for each gateway that holds any of the devices. A dead gateway gets none, and the mailbox keeps the message. */
  private async tellGateways(push: MailboxPush, stored: readonly Stored[]): Promise<void> {
    const byNode = new Map<string, string[]>();
    for (const { installationId, presence } of stored) {
      if (!presence) continue;
      const held = byNode.get(presence.node);
      if (held) held.push(installationId);
      else byNode.set(presence.node, [installationId]);
    }
    const hint = { kind: 'stored', app: push.app, reference: referenceOf(push) } as const;
    const { gateways } = this.ports.store;
    const told = await Promise.allSettled(
      [...byNode].map(([node, installationIds]) => gateways.hint(node, { ...hint, installationIds })),
    );
    for (const result of told) if (result.status === 'rejected') this.ports.onHintLost(result.reason);
  }
}

function outcomeOf(ids: ReadonlyMap<string, string | undefined>, objectId: string, pushId: string): Outcome {
  const refusal = ownRefusal(ids, objectId);
  return refusal ? discarded(refusal) : { kind: 'accepted', vendorMessageId: pushId };
}
