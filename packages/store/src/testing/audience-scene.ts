import { type Audience, type JsonObject } from '@pushfleet/domain';
import { anInstallation, unique } from '@pushfleet/testing';
import { SHARDS } from '../kit/shards';
import type { Store } from '../open-store';
import { mortal } from './mortal';
import type { StoreUnderTest } from './store-under-test';

export interface SceneOptions {
  readonly random: { below(n: number): number; pick<T>(items: readonly T[]): T };
  /** What an installation has beside its ids. */
  readonly fields: () => JsonObject;
  /** What a later save of one may bring. */
  readonly laterSaves: readonly (() => JsonObject)[];
}

/** Devices as `bucket objectId registrationId`, in one order. */
type Found = readonly string[];

const namesOf = (devices: readonly { bucket: string; objectId: string; registrationId: string }[]): Found =>
  devices.map(({ bucket, objectId, registrationId }) => `${bucket} ${objectId} ${registrationId}`).sort();

const expectKilled = (error: unknown): void => expect(error).toMatchObject({ message: 'killed' });

/** Apps that change as devices, vendors and operators change them, and two ways to ask who is in an audience. */
export function audienceScene(t: StoreUnderTest, { random, fields, laterSaves }: SceneOptions) {
  const { below, pick } = random;

  /** Resolves with whom a walk of the whole app finds. */
  async function walked(app: string, { subscriptions, predicate }: Audience): Promise<Found> {
    const found: { bucket: string; objectId: string; registrationId: string }[] = [];
    for (const bucket of await t.store.installations.bucketNames(app)) {
      const from = { shard: 0, objectId: '' };
      const walk = t.store.installations.walk({
        ...{ app, bucket, from, toShard: SHARDS, subscriptions, predicate, pageSize: 100 },
      });
      for (let isOver = false; !isOver;) {
        const { devices, end } = await walk.next();
        found.push(...devices.map(({ objectId, registrationId }) => ({ bucket, objectId, registrationId })));
        isOver = end === undefined;
      }
    }
    return namesOf(found);
  }

  /** Resolves with whom the indexes find; undefined when they cannot tell. */
  async function narrowed(app: string, audience: Audience): Promise<Found | undefined> {
    const narrow = await t.store.installations.channels.narrow(app, audience);
    const found = await narrow?.read();
    return found && namesOf(found);
  }

  /** The returned function changes the app so many times. */
  function changing(app: string, { installations }: Store): (count: number) => Promise<void> {
    const ids: string[] = [];
    const save = (body: JsonObject, objectId?: string) =>
      installations.save({ app, objectId, body, now: t.clock.now() });
    const create = async () => {
      const saved = await save({
        ...{ deviceType: 'android', installationId: unique('i') },
        ...(below(3) === 0 ? {} : { vendor: pick(['HMS', 'mi']), registrationId: unique('r') }),
        ...fields(),
      });
      ids.push(saved?.installation.objectId ?? '');
    };
    const rowOf = () => ({ objectId: unique('o'), doc: anInstallation(fields()) });
    const changes: readonly (() => Promise<unknown>)[] = [
      create,
      ...laterSaves.map((changed) => () => save(changed(), pick(ids))),
      () => save({ valid: below(2) === 0 }, pick(ids)),
      async () => {
        const rows = Array.from({ length: below(20) }, rowOf);
        await installations.import(app, rows);
        ids.push(...rows.map(({ objectId }) => objectId));
      },
      () => installations.remove(app, pick(ids)),
      async () => {
        const objectId = pick(ids);
        const found = await installations.get(app, objectId);
        await installations.retire(app, { objectId, registrationId: String(found?.registrationId ?? '') });
      },
    ];
    return async (count) => {
      await create();
      for (let i = 0; i < count; i += 1) await pick(changes)();
    };
  }

  /** Processes that are killed while they save. */
  async function dyingSavers(app: string, count: number): Promise<void> {
    for (let i = 0; i < count; i += 1)
      await changing(app, t.open({ redis: mortal(t.redis, below(60)) }))(5).catch(expectKilled);
  }

  return { walked, narrowed, changing, dyingSavers, expectKilled };
}
