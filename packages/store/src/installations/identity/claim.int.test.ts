import type { JsonObject } from '@pushfleet/domain';
import { anInstallation, keysIn, unique } from '@pushfleet/testing';
import { storeUnderTest } from '../../testing/store-under-test';
import { PROTOCOL, type Claimer, type Exclusive, type Finding, type Step } from './protocol';

const t = storeUnderTest();

interface Case {
  readonly kind: Exclusive;
  readonly finding: Finding;
  readonly claimer: Claimer;
  readonly step: Step;
}

const CASES: readonly Case[] = (['installationId', 'registrationId'] as const).flatMap((kind) =>
  Object.entries(PROTOCOL[kind]).flatMap(([finding, row]) =>
    Object.entries(row).map(([claimer, step]) => ({
      ...{ kind, finding: finding as Finding, claimer: claimer as Claimer, step },
    })),
  ),
);

const VALUE = 'wanted';
const at = (ms: number): string => new Date(t.clock.now() + ms).toISOString();

/** A record beside the one that wants the id; with it, or with another one in its place. */
async function another(app: string, { kind, finding }: Case): Promise<string> {
  const ids = { [kind]: finding === 'names one with it' ? VALUE : unique('other') };
  return saved(app, anInstallation(ids));
}

const placeOf = (app: string, kind: Exclusive) => t.keys.lookUp(app, kind, VALUE);

async function saved(app: string, body: JsonObject, objectId?: string): Promise<string> {
  const answer = await t.store.installations.save({ app, body, objectId, now: t.clock.now() });
  return answer?.installation.objectId ?? '';
}

async function prepare(app: string, one: Case, mine: string): Promise<string> {
  const other = await another(app, one);
  const { key, field } = placeOf(app, one.kind);
  if (one.finding === 'names it') await t.redis.hset(key, field, mine);
  if (one.finding === 'names one without it') await t.redis.hset(key, field, other);
  if (one.finding === 'names one that is not there') await t.redis.hset(key, field, 'nobody');
  return other;
}

/** The objectId of the record that is answered for, if it is stored. */
async function claim(app: string, { kind, claimer }: Case, mine: string): Promise<string | undefined> {
  const body = anInstallation({ [kind]: VALUE });
  if (claimer === 'first save') return saved(app, body);
  if (claimer === 'later save')
    return saved(app, { [kind]: VALUE }, await saved(app, anInstallation({ [kind]: undefined })));
  const updatedAt = at(claimer === 'newer import' ? 1000 : -1000);
  await t.store.installations.import(app, [{ objectId: mine, doc: { ...body, createdAt: updatedAt, updatedAt } }]);
  return (await t.store.installations.get(app, mine))?.objectId;
}

describe.each(CASES)('$kind, a look-up that $finding, asked by $claimer', (one) => {
  it(`ends as the table says: ${one.step}`, async () => {
    const app = unique('app');
    const mine = unique('o');
    const other = await prepare(app, one, mine);
    const got = await claim(app, one, mine);
    const { results } = await t.store.installations.find({ app, where: {}, limit: 9, skip: 0, count: false });
    const holders = results.filter((installation) => installation[one.kind] === VALUE).map(({ objectId }) => objectId);
    const isSave = one.claimer.endsWith('save');
    const isLeft = one.step === 'leave';
    const left = one.finding === 'names one with it' ? other : 'nobody';
    const owner = isLeft ? left : got;
    expect(holders).toEqual([owner]);
    const { key, field } = placeOf(app, one.kind);
    expect(await t.redis.hget(key, field)).toBe(owner);
    if (isLeft) expect(got).toBe(one.kind === 'registrationId' ? mine : isSave ? left : undefined);
    else expect(got).not.toBe(other);
    const isGone = one.step === 'take' && one.kind === 'installationId';
    expect(await t.store.installations.get(app, other)).toEqual(isGone ? undefined : expect.anything());
    expect(
      (await keysIn(t.redis, `${t.keys.namespace}:i:{${app}:*`)).filter((name) => name.endsWith(':releases')),
    ).toEqual([]);
  });
});
