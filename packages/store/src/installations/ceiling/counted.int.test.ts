import { anInstallation, seededRandom, unique } from '@pushfleet/testing';
import type { InstallationStore } from '..';
import { expectCounted } from '../../testing/expect-counted';
import { jittered } from '../../testing/jittered';
import { storeUnderTest } from '../../testing/store-under-test';

const t = storeUnderTest();
const APP_KEY = { columns: [], channelPrefixes: [] };
const seed = Number(process.env['SEED'] ?? 1021);
const { below } = seededRandom(seed);
const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;

/** Some of what devices, vendors, servers and operators do to an app, one after the other or all at once. */
class Traffic {
  private readonly names = ['w', 'x', 'y', 'z'];
  private readonly ids = new Set<string>();
  /** That the master key or somebody outside has confirmed for certain. */
  readonly confirmed = new Set<string>();

  constructor(
    private readonly app: string,
    private readonly open: () => InstallationStore,
  ) {}

  private body() {
    const channels = Array.from({ length: below(4) }, (_, i) => `c${i + below(3)}`);
    const registrationId = below(2) === 0 ? pick(['r1', 'r2', 'r3']) : unique('r');
    return anInstallation({ installationId: pick([...this.names, unique('n')]), registrationId, channels });
  }

  private async save(isMaster: boolean): Promise<void> {
    const address = below(3) === 0 ? undefined : `198.51.100.${below(4)}`;
    const by = isMaster ? {} : { client: APP_KEY, address };
    const saved = await this.open().save({ app: this.app, body: this.body(), now: t.clock.now(), ...by });
    const objectId = saved?.installation.objectId ?? '';
    this.ids.add(objectId);
    if (isMaster) this.confirmed.add(objectId);
  }

  private async confirm(): Promise<void> {
    const objectId = pick([...this.ids, unique('o')]);
    if (below(2) === 0) t.store.confirmations.note(this.app, 'objectId', [objectId]);
    else t.store.confirmations.note(this.app, 'installationId', [pick(this.names)]);
    await t.store.confirmations.flush();
  }

  private async import(): Promise<void> {
    const stamp = new Date(t.clock.now()).toISOString();
    const rows = Array.from({ length: 1 + below(3) }, () => ({
      objectId: unique('o'),
      doc: { ...this.body(), createdAt: stamp, updatedAt: stamp },
    }));
    await this.open().import(this.app, rows);
    rows.forEach(({ objectId }) => this.ids.add(objectId) && this.confirmed.add(objectId));
  }

  async move(): Promise<void> {
    t.clock.advance(1);
    const kind = below(10);
    if (kind < 4) return this.save(false);
    if (kind === 4) return this.save(true);
    if (kind === 5) return this.confirm();
    if (kind === 6) return this.import();
    const objectId = pick([...this.ids, unique('o')]);
    if (kind === 7) return void (await this.open().remove(this.app, objectId));
    if (kind === 8) return void (await this.open().retire(this.app, { objectId, registrationId: pick(['r1', 'r2']) }));
    const shard = below(256);
    await this.open().sweep(this.app, shard, { stale: t.clock.now() - 5, dead: 0, ending: 0 });
  }
}

it(`whatever is saved, imported, confirmed, retired and removed, what is counted is what is there (seed ${seed})`, async () => {
  for (let round = 0; round < 15; round += 1) {
    const app = unique('app');
    const traffic = new Traffic(app, () => t.store.installations);
    for (let i = 0; i < 60; i += 1) await traffic.move();
    const unconfirmed = await expectCounted(t, app);
    expect(unconfirmed.filter((objectId) => traffic.confirmed.has(objectId))).toEqual([]);
  }
});

it(`the same at once, at an app that is full (seed ${seed})`, async () => {
  // Nobody waits for some looks at the room: they end with their connection, and nothing is asked behind a QUIT.
  const redis = await t.harness.open();
  for (let round = 0; round < 15; round += 1) {
    const app = unique('app');
    const ceiling = { installations: 12, bytes: 0 };
    const late = (turns: number) => jittered(redis, () => below(turns));
    const full = (): InstallationStore => t.open({ redis: late(6), ceiling }).installations;
    const open = (): InstallationStore => t.open({ redis: late(12) }).installations;
    const traffic = new Traffic(app, below(2) === 0 ? full : open);
    for (let i = 0; i < 6; i += 1) {
      const moves = Array.from({ length: 6 }, () => traffic.move());
      for (const { reason } of (await Promise.allSettled(moves)).filter((one) => one.status === 'rejected'))
        expect(reason).toMatchObject({ name: 'AppFull' });
    }
    await expectCounted(t, app);
  }
});
