import { setTimeout as delay } from 'node:timers/promises';
import { OWN_CHANNEL } from '@pushfleet/domain';
import type { Confirmations, GatewayStore, Hint, MailboxStore, PresenceStore, Store } from '@pushfleet/store';
import type { Addresses } from './addresses';
import type { Connection, OutsideEffect } from './connection';
import type { MessageCache } from './message-cache';
import { Places, type Place } from './places';
import { CLOSES, type Confirmation, type Identity, type MailboxMessage } from './session';

export interface HubPorts {
  readonly node: string;
  readonly apps: Pick<Store['apps'], 'settings'>;
  readonly presence: PresenceStore;
  readonly mailboxes: Pick<MailboxStore, 'remove'>;
  readonly receipts: Pick<Store['receipts'], 'count'>;
  readonly gateways: Pick<GatewayStore, 'hint'>;
  readonly confirmations: Pick<Confirmations, 'note'>;
  readonly messages: MessageCache;
  readonly addresses: Pick<Addresses, 'loginDelayMs'>;
  readonly now: () => number;
  onDelivered(): void;
  onLogin(result: 'live' | 'app-unknown'): void;
  /** What the mailbox of a device held when it logged in, and how much of that had expired. */
  onBacklog(messages: number, expired: number): void;
  onError(error: unknown, doing: string): void;
}

/** Connections whose mailboxes are read again at once. */
const RESYNC_AT_ONCE = 500;
/** A presence lives longer than this without being renewed. */
const RENEW_AFTER_MS = 3_600_000;
/** Pause before a login that failed, because of Redis, is tried again. */
const REJOIN_MS = 2000;

/** A connection that logged in, and has no place yet. */
type Newcomer = Omit<Place, 'renewedAt'>;

/** Which installation is on which connection of this process, and what the store knows about it. */
export class Hub {
  private readonly places = new Places();
  /** Numbers the logins as they come. */
  private logins = 0;
  /** Joining and leaving of one connection happen in their order; only those that are under way stand here. */
  private readonly underWay = new Map<Connection, Promise<void>>();
  /** Repeated logins that wait for their turn: one look at the mailbox answers all of them. */
  private readonly waiting = new Set<Connection>();
  private resyncing: Promise<void> | undefined;
  private mustResync = false;
  private tending: Promise<void> | undefined;
  /** Where a message could not be delivered, a mailbox not be read again, or what was acknowledged not be taken out of it. */
  private readonly missedAt = new Set<Place>();

  constructor(private readonly ports: HubPorts) {}

  get size(): number {
    return this.places.size;
  }

  perform(connection: Connection, effect: OutsideEffect): void {
    const { identity } = effect;
    const run = (doing: string, work: () => Promise<void>): void => this.run(doing, () => [identity], work);
    if (effect.kind === 'join') this.join(connection, identity);
    else if (effect.kind === 'read') run('read', () => this.readAgain(connection, identity));
    else if (effect.kind === 'read-on') run('read', () => this.read({ connection, identity }));
    else if (effect.kind === 'confirm') run('confirm', () => this.confirm(connection, effect));
    else this.inOrder(connection, () => this.leave(connection, identity));
  }

  /** Told by a worker or by another gateway. */
  hear(hint: Hint): void {
    if (hint.kind !== 'stored') return this.takeOver(hint);
    const { app, installationIds } = hint;
    const receivers = () => installationIds.map((installationId) => ({ app, installationId }));
    this.run('deliver', receivers, () => this.deliver(hint));
  }

  /** Reads every mailbox again: hints may have been lost. */
  resync(): Promise<void> {
    this.mustResync = true;
    this.resyncing ??= this.resyncAll().finally(() => (this.resyncing = undefined));
    return this.resyncing;
  }

  /** What failed is read again; what would be forgotten is renewed, a part of it at a time. */
  tend(): Promise<void> {
    // One at a time: a slow Redis would be asked for the same places again and again.
    this.tending ??= this.tendAll().finally(() => (this.tending = undefined));
    return this.tending;
  }

  private async tendAll(): Promise<void> {
    await this.readMissed();
    await this.endDeleted();
    const before = this.ports.now() - RENEW_AFTER_MS;
    const due: Place[] = [];
    for (const place of this.places) {
      if (place.renewedAt < before) due.push(place);
      if (due.length >= RESYNC_AT_ONCE) break;
    }
    await Promise.all(due.map((place) => this.readOrMiss(place)));
  }

  private async readMissed(): Promise<void> {
    const missed = [...this.missedAt];
    this.missedAt.clear();
    await this.readAll(missed);
  }

  /** The devices of an app that was deleted: their presence would outlive it. */
  private async endDeleted(): Promise<void> {
    const apps = new Set(Array.from(this.places, ({ identity }) => identity.app));
    const known = await Promise.all(
      Array.from(apps, async (app) => ((await this.ports.apps.settings(app)) ? [] : [app])),
    );
    const deleted = new Set(known.flat());
    if (deleted.size === 0) return;
    for (const { connection, identity } of [...this.places])
      if (deleted.has(identity.app)) connection.end(CLOSES.appNotAvailable, 'refused');
  }

  private holds(connection: Connection, identity: Identity): boolean {
    return this.places.get(identity)?.connection === connection;
  }

  private run(doing: string, whose: () => readonly Identity[], work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      for (const identity of whose()) {
        const place = this.places.get(identity);
        if (place) this.missedAt.add(place);
      }
      this.ports.onError(error, doing);
    });
  }

  private inOrder(connection: Connection, work: () => Promise<void>): void {
    const before = this.underWay.get(connection);
    const done = (before ? before.then(work) : work())
      .catch((error: unknown) => this.ports.onError(error, 'join or leave'))
      .finally(() => {
        if (this.underWay.get(connection) === done) this.underWay.delete(connection);
      });
    this.underWay.set(connection, done);
  }

  private join(connection: Connection, identity: Identity): void {
    const login = (this.logins += 1);
    this.inOrder(connection, () => this.joinInTurn({ connection, identity, login }));
  }

  private async joinInTurn(newcomer: Newcomer): Promise<void> {
    const { connection, identity } = newcomer;
    if (connection.isFor(identity)) await this.turnOf(connection);
    while (connection.isFor(identity)) {
      try {
        return await this.tryJoin(newcomer);
      } catch (error) {
        this.ports.onError(error, 'join');
        await delay(REJOIN_MS, undefined, { ref: false });
      }
    }
  }

  private async turnOf(connection: Connection): Promise<void> {
    const delayMs = this.ports.addresses.loginDelayMs(connection.address);
    if (delayMs === undefined) return connection.end(CLOSES.tooFast, 'too-fast');
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
  }

  /** A repeated login makes as much work as the first. */
  private async readAgain(connection: Connection, identity: Identity): Promise<void> {
    if (this.waiting.has(connection)) return;
    this.waiting.add(connection);
    await this.turnOf(connection).finally(() => this.waiting.delete(connection));
    if (connection.isFor(identity)) await this.read({ connection, identity });
  }

  private async tryJoin({ connection, identity, login }: Newcomer): Promise<void> {
    const { apps, presence, gateways, node } = this.ports;
    if (!(await apps.settings(identity.app))) {
      this.ports.onLogin('app-unknown');
      return connection.end(CLOSES.appNotAvailable, 'refused');
    }
    if (!connection.isFor(identity)) return;
    if (!this.takePlace({ connection, identity, login })) return;
    const { previous, references } = await presence.attach(identity.app, identity.installationId, {
      node,
      connection: connection.id,
    });
    if (previous && previous.node !== node)
      await gateways.hint(previous.node, { kind: 'taken-over', ...identity, connection: previous.connection });
    const messages = await this.load(identity, references);
    // It may have left while its presence was on the way, and then its leaving comes next.
    if (!connection.isFor(identity)) return;
    this.ports.confirmations.note(identity.app, 'installationId', [identity.installationId]);
    this.ports.onLogin('live');
    this.ports.onBacklog(references.length, references.length - messages.length);
    connection.handle({ kind: 'joined', messages, mostBytes: connection.roomBytes });
  }

  /** False when the device came back on another connection while this one waited: this one is what it left behind. */
  private takePlace(newcomer: Newcomer): boolean {
    const { connection, identity, login } = newcomer;
    const holder = this.places.get(identity);
    if (holder && holder.login > login && holder.connection.isFor(holder.identity)) {
      connection.end(CLOSES.takenOver, 'taken-over');
      return false;
    }
    const former = this.places.put({ ...newcomer, renewedAt: this.ports.now() });
    if (former && former.connection !== connection) former.connection.end(CLOSES.takenOver, 'taken-over');
    return true;
  }

  private async read({ connection, identity }: Pick<Place, 'connection' | 'identity'>): Promise<void> {
    const { presence, node, now } = this.ports;
    const here = { node, connection: connection.id };
    const references = await presence.renew(identity.app, identity.installationId, here);
    if (!references) return connection.end(CLOSES.takenOver, 'taken-over');
    const place = this.places.get(identity);
    if (place?.connection === connection) place.renewedAt = now();
    const messages = await this.load(identity, references);
    if (connection.isFor(identity)) connection.handle({ kind: 'backlog', messages, mostBytes: connection.roomBytes });
    else if (!this.holds(connection, identity)) await this.detach(connection, identity);
  }

  /** The messages that can still be had; references to others are taken out. */
  private async load(identity: Identity, references: readonly string[]): Promise<readonly MailboxMessage[]> {
    const found = await Promise.all(references.map((reference) => this.ports.messages.get(reference)));
    const dead = references.filter((_, i) => found[i] === undefined);
    await this.ports.mailboxes.remove(identity.app, identity.installationId, dead);
    return found.filter((message) => message !== undefined);
  }

  /** Counted before it is removed: what happens in between is told again, and counted once. */
  private async confirm(
    connection: Connection,
    { identity, messages }: { identity: Identity; messages: readonly Confirmation[] },
  ): Promise<void> {
    const { app, installationId } = identity;
    const receipt = { app, channel: OWN_CHANNEL, kind: 'delivered', registrationId: installationId } as const;
    const counted = await Promise.all(messages.map(({ id }) => this.ports.receipts.count({ ...receipt, pushId: id })));
    counted.filter(Boolean).forEach(() => this.ports.onDelivered());
    await this.ports.mailboxes.remove(
      app,
      installationId,
      messages.map(({ reference }) => reference),
    );
    if (connection.isFor(identity)) connection.handle({ kind: 'confirmed', ids: messages.map(({ id }) => id) });
  }

  /** A login that did not get its turn has left nothing behind. */
  private async leave(connection: Connection, identity: Identity): Promise<void> {
    if (!this.holds(connection, identity)) return;
    this.places.remove(connection, identity);
    await this.detach(connection, identity);
  }

  private async detach(connection: Connection, identity: Identity): Promise<void> {
    const { node, presence } = this.ports;
    await presence.detach(identity.app, identity.installationId, { node, connection: connection.id });
  }

  private async deliver({ app, reference, installationIds }: Extract<Hint, { kind: 'stored' }>): Promise<void> {
    const places = installationIds.flatMap((installationId) => this.places.get({ app, installationId }) ?? []);
    if (places.length === 0) return;
    const message = await this.ports.messages.get(reference);
    if (!message) return;
    for (const { connection, identity } of places) {
      if (connection.isFor(identity)) connection.handle({ kind: 'stored', message });
    }
  }

  private takeOver(hint: Extract<Hint, { kind: 'taken-over' }>): void {
    const connection = this.places.get(hint)?.connection;
    if (connection?.id === hint.connection) connection.end(CLOSES.takenOver, 'taken-over');
  }

  private async resyncAll(): Promise<void> {
    while (this.mustResync) {
      this.mustResync = false;
      await this.readAll([...this.places]);
    }
  }

  private async readAll(places: Place[]): Promise<void> {
    while (places.length > 0) {
      const some = places.splice(0, RESYNC_AT_ONCE).filter(({ connection }) => connection.isOpen);
      await Promise.all(some.map((place) => this.readOrMiss(place)));
    }
  }

  private async readOrMiss(place: Place): Promise<void> {
    try {
      await this.read(place);
    } catch (error) {
      this.missedAt.add(place);
      this.ports.onError(error, 'resync');
    }
  }
}
