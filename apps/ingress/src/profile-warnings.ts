import { type VendorChannel } from '@pushfleet/channel-kit';
import {
  BoundedMap,
  bucketOfProfile,
  DEFAULT_PROFILE,
  isStillAhead,
  messageFor,
  profileBucket,
  type App,
  type PushContent,
  type PushRequest,
  type PushWarning,
  type RouteBucket,
} from '@pushfleet/domain';
import { type ProfileStore } from '@pushfleet/store';

/** What an app's default profiles make of a message that is not what its sender may expect. */
export type ProfileWarnings = (
  app: App,
  push: Pick<PushRequest, 'content' | 'audience'>,
) => Promise<readonly PushWarning[]>;

export interface ProfileWarningPorts {
  readonly profiles: Pick<ProfileStore, 'names' | 'get'>;
  readonly channels: Readonly<Record<string, VendorChannel>>;
  readonly now: () => number;
  /** A profile cannot be read: the push goes on without its warnings. */
  onUnreadable(error: unknown): void;
}

type Warn = (content: PushContent) => readonly PushWarning[];
type WarnByBucket = ReadonlyMap<RouteBucket, Warn>;

const CACHE_MS = 5000;
const MAX_CACHED_APPS = 1000;
/** Warnings of one answer. */
const MAX_WARNINGS = 20;

export function openProfileWarnings(ports: ProfileWarningPorts): ProfileWarnings {
  const cache = new BoundedMap<string, { readonly until: number; readonly warns: Promise<WarnByBucket> }>(
    MAX_CACHED_APPS,
  );

  function cachedWarns({ id }: App): Promise<WarnByBucket> {
    const hit = cache.get(id);
    if (hit && isStillAhead(hit.until, ports.now(), CACHE_MS)) return hit.warns;
    const warns = openWarns(ports, id);
    cache.set(id, { until: ports.now() + CACHE_MS, warns });
    warns.catch(() => cache.delete(id));
    return warns;
  }

  return async (app, { content, audience }) => {
    if (!app.hybrid || !asksForMore(content)) return [];
    const warns = await cachedWarns(app);
    const only = audience.devices?.bucket;
    const asked = only === undefined ? [...warns.values()] : [warns.get(only) ?? silent];
    return asked.flatMap((warn) => warn(content)).slice(0, MAX_WARNINGS);
  };
}

/** Most messages are text and attributes: no profile changes what becomes of them. */
function asksForMore({ data, sections }: PushContent): boolean {
  const asked = [data['badge'], data['action'], data['silent']].some((value) => value !== undefined);
  return asked || Object.keys(sections).length > 0;
}

async function openWarns(ports: ProfileWarningPorts, app: string): Promise<WarnByBucket> {
  const profiles = [...(await ports.profiles.names(app))].map(profileBucket);
  const channels = profiles.flatMap((of) => (of?.profile === DEFAULT_PROFILE ? [of.channel] : []));
  const warns = channels.map(
    async (channel) => [bucketOfProfile(channel, DEFAULT_PROFILE), await warnOf(ports, app, channel)] as const,
  );
  return new Map(await Promise.all(warns));
}

const silent: Warn = () => [];

async function warnOf(ports: ProfileWarningPorts, app: string, name: string): Promise<Warn> {
  const channel = ports.channels[name];
  if (!channel) return silent;
  try {
    const stored = await ports.profiles.get({ app, channel: name, profile: DEFAULT_PROFILE });
    const profile = stored && channel.parseProfile(stored.value);
    return profile ? (content) => channel.warningsFor(messageFor(content, name), profile) : silent;
  } catch (error) {
    ports.onUnreadable(error);
    return silent;
  }
}
