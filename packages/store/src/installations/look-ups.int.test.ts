import type { RedisClient } from '../kit/redis';
import { storeUnderTest } from '../testing/store-under-test';

const t = storeUnderTest();

type Step = () => Promise<unknown>;

/** The same connection, which others use too: after each command that names `field` the next step of theirs is done. */
function interrupted(redis: RedisClient, field: string, steps: Step[]): RedisClient {
  return new Proxy(redis, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      const command = value.bind(target) as (...args: unknown[]) => unknown;
      return !['hget', 'hset', 'hsetnx', 'evalsha', 'eval'].includes(String(name))
        ? command
        : async (...args: unknown[]) => {
            const answer = await command(...args);
            if (args.includes(field)) await steps.shift()?.();
            return answer;
          };
    },
  });
}

const nothings = (count: number): Step[] => Array<Step>(count).fill(() => Promise.resolve());
const moments = [0, 1, 2, 3].flatMap((before) => [0, 1, 2].map((between) => ({ before, between })));

it.each(moments)(
  'a registrationId that another takes after $before commands and gives up $between later is not left with two',
  async ({ before, between }) => {
    const { save, remove, find } = t.store.installations;
    const registrationId = `passed-on-${before}-${between}`;
    const request = { app: t.app, body: { vendor: 'HMS', registrationId }, now: t.clock.now() };
    const saved = async () => (await save(request))?.installation.objectId ?? '';
    let other = '';
    const take = async () => (other = await saved());
    const giveUp = () => remove(t.app, other);
    const steps = [...nothings(before), take, ...nothings(between), giveUp];
    const { field } = t.keys.lookUp(t.app, 'registrationId', registrationId);

    await t.open({ redis: interrupted(t.redis, field, steps) }).installations.save(request);
    const last = await saved();

    const { results } = await find({ app: t.app, where: {}, limit: 100, skip: 0, count: false });
    const owners = results.filter((device) => device['registrationId'] === registrationId);
    expect(owners.map(({ objectId }) => objectId)).toEqual([last]);
  },
);
