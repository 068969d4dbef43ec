import { ALL_SHARDS, type AuditedPush, type Store } from '@pushfleet/store';
import type { Attempt } from '../attempts';
import { walkerOf } from '../walker-of';
import { queuesWithWork } from './queues-with-work';

export interface BacklogPorts {
  readonly store: {
    readonly audit: Store['audit'];
    readonly apps: Pick<Store['apps'], 'ids'>;
  };
  /** Channels that have queues. */
  readonly channels: ReadonlySet<string>;
  readonly now: () => number;
  readonly attempt: Attempt;
  /** Called once for each push whose books do not add up. */
  readonly onImbalance: (pushId: string) => void;
}

export interface BacklogView {
  /** By queue, since when the oldest push with work there has waited; absent without one. */
  readonly waitsSince: ReadonlyMap<string, number>;
  /** By channel, devices of open pushes without a verdict. */
  readonly devicesLeft: ReadonlyMap<string, number>;
  /** The pushes that have the most of these devices. */
  readonly largest: readonly string[];
  readonly open: { readonly due: number; readonly scheduled: number };
  /** Records whose books do not add up, of those looked at. */
  readonly imbalanced: number;
  /** Records looked at in this round. */
  readonly looked: number;
}

/** Bounds of one round, so that a round stays cheap however many pushes are open. */
const MOST = { openOfShard: 400, fresh: 5000, again: 500, closed: 2000, apps: 20, recentOfApp: 50, largest: 200 };
const MAX_IMBALANCED = 1000;
/** The oldest push of a queue may turn out to have no work there any more; then the next one counts. */
const MAX_PASSES = 20;
const AT_ONCE = 200;

/**
 * Remembers the open pushes and the queues where each has work. A push is read when it is new, again in turn, and whenever it
 * would be the oldest of a queue.
 */
export class Backlog {
  private readonly known = new Map<string, { readonly push: AuditedPush; readonly round: number }>();
  private readonly imbalanced = new Set<string>();
  private round = 0;
  private nextApp = 0;
  private looked = 0;

  constructor(private readonly ports: BacklogPorts) {}

  async look(): Promise<BacklogView> {
    this.round += 1;
    this.looked = 0;
    await this.followOpenPushes();
    await this.lookAtAll([...(await this.recentIds()), ...this.imbalanced]);
    const waitsSince = await this.findOldest();
    const counted = { open: this.countOpen(), devicesLeft: this.countDevices(), largest: this.largest() };
    return { waitsSince, ...counted, imbalanced: this.imbalanced.size, looked: this.looked };
  }

  private async followOpenPushes(): Promise<void> {
    const { audit } = this.ports.store;
    const ids = (await Promise.all(ALL_SHARDS.map((shard) => audit.openIds(shard, MOST.openOfShard)))).flat();
    const open = new Set(ids);
    const closed = [...this.known.keys()].filter((pushId) => !open.has(pushId));
    for (const pushId of closed) this.known.delete(pushId);
    const unknown = ids.filter((pushId) => !this.known.has(pushId)).slice(0, MOST.fresh);
    await this.lookAtAll([...closed.slice(0, MOST.closed), ...unknown, ...this.dueForAnotherLook()]);
  }

  /** Pushes that are not planned yet, and a part of the others. */
  private dueForAnotherLook(): readonly string[] {
    const [undispatched, dispatched]: [string[], string[]] = [[], []];
    for (const [pushId, { push }] of this.known) {
      if (push.state === 'dispatched') dispatched.push(pushId);
      else if (push.waitsSince <= this.ports.now()) undispatched.push(pushId);
    }
    return [...undispatched.slice(0, MOST.fresh), ...dispatched.slice(0, MOST.again)];
  }

  /** The pushes that open and close between two rounds are found among the newest of each app, some apps at a time. */
  private async recentIds(): Promise<readonly string[]> {
    const { attempt, store } = this.ports;
    const { apps, audit } = store;
    const all = await apps.ids();
    if (this.nextApp >= all.length) this.nextApp = 0;
    const some = all.slice(this.nextApp, this.nextApp + MOST.apps);
    this.nextApp += MOST.apps;
    const ids = await Promise.all(some.map((app) => attempt({ app }, () => audit.recentIds(app, MOST.recentOfApp))));
    return ids.flatMap((some = []) => some.filter((pushId) => !this.known.has(pushId)));
  }

  private async lookAtAll(pushIds: readonly string[]): Promise<void> {
    const left = [...new Set(pushIds)];
    while (left.length > 0) await Promise.all(left.splice(0, AT_ONCE).map((pushId) => this.lookAt(pushId)));
  }

  private async lookAt(pushId: string): Promise<void> {
    const { attempt, store } = this.ports;
    const seen = await attempt({ pushId }, async () => ({ push: await store.audit.look(pushId) }));
    this.looked += 1;
    // A record that cannot be read is not gone: what was last read of it counts.
    this.keep(pushId, seen ? seen.push : this.known.get(pushId)?.push);
    if (seen === undefined) return;
    if (seen.push === undefined || seen.push.addsUp) this.imbalanced.delete(pushId);
    else this.note(pushId);
  }

  /** A push that was looked at moves to the end of the map, so that all of them have their turn. */
  private keep(pushId: string, push: AuditedPush | undefined): void {
    this.known.delete(pushId);
    if (push && push.state !== 'done') this.known.set(pushId, { push, round: this.round });
  }

  private note(pushId: string): void {
    if (this.imbalanced.has(pushId) || this.imbalanced.size >= MAX_IMBALANCED) return;
    this.imbalanced.add(pushId);
    this.ports.onImbalance(pushId);
  }

  private async findOldest(): Promise<ReadonlyMap<string, number>> {
    for (let pass = 1; ; pass += 1) {
      const oldest = this.oldestKnown();
      const stale = [...oldest.values()].filter((pushId) => this.known.get(pushId)?.round !== this.round);
      if (stale.length > 0 && pass < MAX_PASSES) await this.lookAtAll(stale);
      else return new Map([...oldest].map(([queue, pushId]) => [queue, this.waitsSince(pushId)]));
    }
  }

  private oldestKnown(): ReadonlyMap<string, string> {
    const oldest = new Map<string, string>();
    for (const [pushId, { push }] of this.known) {
      if (push.waitsSince > this.ports.now()) continue;
      for (const queue of queuesWithWork(push, this.ports.channels)) {
        if (push.waitsSince < this.waitsSince(oldest.get(queue))) oldest.set(queue, pushId);
      }
    }
    return oldest;
  }

  private waitsSince(pushId: string | undefined): number {
    return (pushId === undefined ? undefined : this.known.get(pushId)?.push.waitsSince) ?? Infinity;
  }

  private countDevices(): ReadonlyMap<string, number> {
    const { channels } = this.ports;
    const left = new Map([...channels].map((channel) => [channel, 0]));
    for (const { push } of this.known.values()) {
      for (const [column, devices] of Object.entries(push.devicesLeft)) {
        const channel = walkerOf(column, channels);
        left.set(channel, (left.get(channel) ?? 0) + devices);
      }
    }
    return left;
  }

  private largest(): readonly string[] {
    const left = Array.from(this.known, ([pushId, { push }]) => {
      const devices = Object.values(push.devicesLeft).reduce((sum, count) => sum + count, 0);
      return { pushId, devices };
    }).filter(({ devices }) => devices > 0);
    left.sort((a, b) => b.devices - a.devices);
    return left.slice(0, MOST.largest).map(({ pushId }) => pushId);
  }

  private countOpen(): BacklogView['open'] {
    const pushes = [...this.known.values()];
    const scheduled = pushes.filter(({ push }) => push.waitsSince > this.ports.now()).length;
    return { scheduled, due: pushes.length - scheduled };
  }
}
