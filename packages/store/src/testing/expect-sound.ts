/// <reference types="jest" />
import { groupBy, type JsonObject } from '@pushfleet/domain';
import { shardOf } from '../kit/shards';
import type { StoreUnderTest } from './store-under-test';

/**
 * What must hold of any app: names and registrations belong to one installation, which a look-up by them finds, and each
 * valid device stands in one bucket. A look-up that names nothing, or one that has the id no more, is only a wrong hint.
 */
export async function expectSound(t: StoreUnderTest, app: string): Promise<void> {
  const { installations } = t.store;
  const { results } = await installations.find({ app, where: {}, limit: 10_000, skip: 0, count: false });
  const names = await installations.bucketNames(app);
  for (const kind of ['installationId', 'registrationId'] as const) {
    const holders = groupBy(
      results.filter((device) => device[kind] !== undefined),
      (device) => device[kind],
    );
    expect([...holders.values()].filter(({ length }) => length > 1)).toEqual([]);
    for (const device of [...holders.values()].flat()) {
      const found = await installations.addressed(app, { field: kind, values: [String(device[kind])] });
      const isTarget = device['valid'] !== false;
      expect(found.map(({ installation }) => installation.objectId)).toEqual(isTarget ? [device.objectId] : []);
    }
  }
  for (const { objectId, ...device } of results) {
    const places = await Promise.all(
      names.map((bucket) => t.redis.zrange(t.keys.bucket(app, shardOf(objectId), bucket), '0', '-1')),
    );
    const mine = places.flat().filter((member) => member.startsWith(`${objectId} `));
    const { registrationId, valid } = device as JsonObject;
    expect(mine).toEqual(valid === false ? [] : [`${objectId} ${String(registrationId ?? '')}`]);
  }
}
