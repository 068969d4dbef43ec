import { profileBucket, retiredFrom } from '@pushfleet/domain';
import type { Store } from '@pushfleet/store';
import type { Attempt } from '../attempts';

/** Installations of all apps on one road. */
export interface AudienceSize {
  /** Of a vendor, the own one, or why there is none: ios, unknown, unregistered. */
  readonly channel: string;
  readonly state: 'target' | 'retired' | 'unreachable';
  readonly count: number;
}

export interface AudiencePorts {
  readonly apps: Pick<Store['apps'], 'ids'>;
  readonly installations: Pick<Store['installations'], 'bucketSizes'>;
  readonly channels: ReadonlySet<string>;
  readonly attempt: Attempt;
}

/** Apps counted in a round: to know all of them soon, and then to keep up. */
const APPS_OF_ROUND = { first: 20, later: 2 };

/** Counts the installations of all apps, some apps in each round. */
export class Audience {
  private readonly known = new Map<string, ReadonlyMap<string, number>>();
  private next = 0;

  constructor(private readonly ports: AudiencePorts) {}

  /** Undefined until every app was counted once. */
  async look(): Promise<readonly AudienceSize[] | undefined> {
    const ids = await this.ports.apps.ids();
    const living = new Set(ids);
    for (const id of this.known.keys()) if (!living.has(id)) this.known.delete(id);
    for (const id of this.due(ids)) this.known.set(id, await this.count(id));
    return ids.every((id) => this.known.has(id)) ? this.sizes() : undefined;
  }

  /** An app that cannot be counted keeps its last count, and has none before. */
  private async count(app: string): Promise<ReadonlyMap<string, number>> {
    const { attempt, installations } = this.ports;
    return (await attempt({ app }, () => installations.bucketSizes(app))) ?? this.known.get(app) ?? new Map();
  }

  private due(ids: readonly string[]): readonly string[] {
    const unknown = ids.filter((id) => !this.known.has(id)).slice(0, APPS_OF_ROUND.first);
    if (unknown.length > 0) return unknown;
    if (this.next >= ids.length) this.next = 0;
    const due = ids.slice(this.next, this.next + APPS_OF_ROUND.later);
    this.next += APPS_OF_ROUND.later;
    return due;
  }

  private sizes(): readonly AudienceSize[] {
    const sums = new Map<string, AudienceSize>();
    for (const buckets of this.known.values()) {
      for (const [bucket, count] of buckets) {
        const road = this.roadOf(bucket);
        const name = `${road.channel} ${road.state}`;
        sums.set(name, { ...road, count: count + (sums.get(name)?.count ?? 0) });
      }
    }
    return [...sums.values()];
  }

  private roadOf(bucket: string): Pick<AudienceSize, 'channel' | 'state'> {
    const retired = retiredFrom(bucket);
    if (retired !== undefined) return { channel: retired, state: 'retired' };
    const channel = profileBucket(bucket)?.channel ?? bucket;
    return { channel, state: this.ports.channels.has(channel) ? 'target' : 'unreachable' };
  }
}
