import { shownAs, type ChannelDeps, type ShownText, type VendorChannel } from '@pushfleet/channel-kit';
import {
  bucketOfProfile,
  budgetOf,
  messageFor,
  onlyChannelOf,
  OWN_CHANNEL,
  ownMessage,
  pageDevicesFor,
  profileBucket,
  receiptUrl,
  type App,
  type Budget,
  type DiscardReason,
} from '@pushfleet/domain';
import { isUnreadableSecret, NO_PUSH_ID, type NewPush, type PreflightWay, type ProfileStore } from '@pushfleet/store';

/** What one profile makes of a message. */
export interface MessageFate {
  readonly way: PreflightWay;
  readonly budget: Budget;
  /** Why its vendor is not called. */
  readonly discard?: DiscardReason;
  readonly bytes: number;
  readonly truncated: boolean;
  readonly notes: readonly string[];
  readonly shown?: ShownText | undefined;
}

/** By `channel/profile`. */
export type MessageFates = Readonly<Record<string, MessageFate>>;

export interface MessageFatePorts {
  readonly profiles: Pick<ProfileStore, 'names' | 'get'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly now: () => number;
  readonly publicUrl?: string | undefined;
  /** Called with a profile that cannot be read: its devices count as if the message were fine. */
  onUnreadable(error: unknown): void;
}

/** That of a batch is as long as they are, too. */
const IDS = { pushId: NO_PUSH_ID, batchId: `${NO_PUSH_ID}-00000000000000000000` };

const UNREADABLE = 'the profile cannot be read here, so that nothing is known of its message';

/** Builds the message of a push for every profile of its app, by the builders that its workers use. */
export async function messageFates(ports: MessageFatePorts, app: App, push: NewPush): Promise<MessageFates> {
  const names = app.hybrid ? [...(await ports.profiles.names(app.id))] : [];
  const fates = await Promise.all(names.map(async (name) => [name, await fateOf(ports, { app, push }, name)] as const));
  const known = fates.filter((entry): entry is readonly [string, MessageFate] => entry[1] !== undefined);
  return { ...Object.fromEntries(known), [bucketOfProfile(OWN_CHANNEL, '')]: ownFate(push) };
}

interface Message {
  readonly app: App;
  readonly push: NewPush;
}

const wayFor = (budget: Budget, maxBatch: number): PreflightWay => ({
  pageDevices: pageDevicesFor(budget, maxBatch),
  maxBatch,
});

async function fateOf(ports: MessageFatePorts, message: Message, name: string): Promise<MessageFate | undefined> {
  const of = profileBucket(name);
  const channel = of && ports.channels[of.channel];
  if (!channel) return undefined;
  const { maxBatch } = channel.capabilities;
  try {
    return await readFate(ports, message, { channel, profile: of.profile });
  } catch (error) {
    if (!isUnreadableSecret(error)) throw error;
    ports.onUnreadable(error);
    const notes = [UNREADABLE];
    return { way: wayFor(channel.budget, maxBatch), budget: channel.budget, bytes: 0, truncated: false, notes };
  }
}

async function readFate(
  ports: MessageFatePorts,
  { app, push }: Message,
  { channel, profile }: { readonly channel: VendorChannel; readonly profile: string },
): Promise<MessageFate | undefined> {
  const address = { app: app.id, channel: channel.name, profile };
  const stored = await ports.profiles.get(address);
  if (!stored) return undefined;
  const budget = budgetOf(channel.budget, stored.value['budget']);
  const preview = channel.open(stored.value, nowhere(ports.now)).preview({
    ...IDS,
    message: messageFor(push.content, channel.name, onlyChannelOf(push.audience)),
    app,
    registrationIds: [],
    ttlMs: Math.max(1, push.expiresAt - push.pushTime),
    receiptUrl: receiptUrl(ports.publicUrl, { ...address, receiptKey: stored.receiptKey }),
  });
  const fate = { way: wayFor(budget, channel.capabilities.maxBatch), budget };
  if (preview.kind === 'preview') {
    const { bytes, truncated, notes, shown } = preview;
    return { ...fate, bytes, truncated, notes, shown };
  }
  const notes = preview.vendorMessage === undefined ? [] : [preview.vendorMessage];
  return { ...fate, discard: preview.reason, bytes: 0, truncated: false, notes };
}

/** The way to a vendor of whom nothing is asked. */
function nowhere(now: () => number): ChannelDeps {
  const refuse = (): Promise<never> => Promise.reject(new Error('a pre-flight calls no vendor'));
  return {
    http: { request: refuse, close: () => Promise.resolve() },
    tokens: { get: refuse, drop: refuse },
    now,
    origins: {},
  };
}

/** The app builds what its devices show. */
const ownFate = ({ content, audience, expiresAt }: NewPush): MessageFate => ({
  way: wayFor({}, 1),
  budget: {},
  truncated: false,
  notes: [],
  ...(content.data['silent'] === true ? {} : shownAs(content.data['title'], content.data['alert'])),
  bytes: Buffer.byteLength(ownMessage({ content, audience, expiresAt })),
});
