import { hash } from 'node:crypto';
import { LIMITS } from '@pushfleet/domain';
import { KEY_FAMILIES } from '../purge/key-families';
import { storeUnderTest } from '../testing/store-under-test';
import { PeopleKeys } from './people-keys';
import type { Person } from './people';

const t = storeUnderTest();
const people = () => t.store.people;
const keys = new PeopleKeys('');

const person = (name: string): Person => ({
  ...{ name, role: 'viewer', apps: 'all', passwordHash: 'x', generation: 0, createdAt: 1_900_000_000_000 },
});

it('knows a name however it is typed, and keeps it as it was given', async () => {
  expect(await people().persons.add('Ann', person('Ann'))).toBe('added');
  expect(await people().persons.add('aNN', person('aNN'))).toBe('exists');
  expect(await people().persons.get('ANN')).toEqual(person('Ann'));
});

it('loses no change of two at once', async () => {
  await people().persons.add('Bob', person('Bob'));
  const more = ({ generation, ...rest }: Person): Person => ({ ...rest, generation: generation + 1 });
  await Promise.all(Array.from({ length: 20 }, () => people().persons.update('bob', more)));
  expect(await people().persons.get('bob')).toMatchObject({ generation: 20 });
  expect(await people().persons.update('nobody', more)).toBeUndefined();
});

it('tells who was removed, once', async () => {
  await people().persons.add('Eve', person('Eve'));
  const answers = await Promise.all([people().persons.remove('eve'), people().persons.remove('EVE')]);
  expect(answers.filter((removed) => removed !== undefined)).toEqual([person('Eve')]);
});

it.each(['no JSON', '{}'])('lists everybody but who is damaged, who is named and can be removed: %s', async (text) => {
  const { persons } = people();
  await persons.add('Zoe', person('Zoe'));
  await persons.add('Max', person('Max'));
  await t.redis.hset(new PeopleKeys(t.harness.namespace).people(), 'zoe', text);
  const { results, unreadable } = await persons.list();
  const names = results.map(({ name }) => name);
  expect([names.includes('Max'), names.includes('Zoe')]).toEqual([true, false]);
  expect(unreadable).toEqual(['zoe']);
  await expect(persons.get('Zoe')).rejects.toThrow('the record of the person "zoe" in Redis is damaged');
  expect(await persons.remove('Zoe')).toBe('damaged');
  expect(await persons.remove('Zoe')).toBeUndefined();
  await persons.remove('Max');
});

it('is full at its limit, and takes what exists all the same', async () => {
  const many = Object.fromEntries(Array.from({ length: LIMITS.apiTokens.value }, (_, i) => [`t${i}`, '{}']));
  await t.redis.hset(new PeopleKeys(t.harness.namespace).apiTokens(), many);
  const token = { ...person('ci'), id: 'new', digest: 'd', expiresAt: 1, createdBy: 'ann' };
  expect(await people().apiTokens.add('new', token)).toBe('full');
  expect(await people().apiTokens.add('t1', token)).toBe('exists');
});

it('keeps a session under a digest, for as long as it is used', async () => {
  const { sessions } = people();
  await sessions.put('the-id-of-a-cookie', '{}', 60_000);
  expect(await sessions.get('the-id-of-a-cookie')).toBe('{}');
  const key = new PeopleKeys(t.harness.namespace).session(hash('sha256', 'the-id-of-a-cookie', 'base64url'));
  await sessions.touch('the-id-of-a-cookie', 600_000);
  expect(await t.redis.pttl(key)).toBeGreaterThan(60_000);
  await sessions.remove('the-id-of-a-cookie');
  expect(await sessions.get('the-id-of-a-cookie')).toBeUndefined();
});

it('remembers that the sessions of somebody were ended for longer than one of them lives by the clock of any console', async () => {
  const { sessions } = people();
  expect(await sessions.generationOf('sub')).toBeUndefined();
  await sessions.endAll('sub', 60_000);
  const first = await sessions.generationOf('sub');
  expect(first).toMatch(/^[\w-]{16}$/);
  const key = new PeopleKeys(t.harness.namespace).sessionsEnd(hash('sha256', 'sub', 'base64url'));
  expect(await t.redis.pttl(key)).toBeGreaterThan(60_000 + 12 * 3_600_000);
  await sessions.endAll('sub', 60_000);
  expect(await sessions.generationOf('sub')).not.toBe(first);
  expect(await sessions.generationOf('other')).toBeUndefined();
});

describe('the brake', () => {
  it('stops guesses at one name, from wherever they come', async () => {
    const { brake } = people();
    for (let i = 0; i < LIMITS.signInsPerName.value; i += 1)
      expect(await brake.begin({ kind: 'name', who: 'ann', network: `192.0.2.${i}` })).toBe(0);
    expect(await brake.begin({ kind: 'name', who: 'ann', network: '198.51.100.1' })).toBeGreaterThan(0);
    expect(await brake.begin({ kind: 'name', who: 'bob', network: '198.51.100.1' })).toBe(0);
  });

  it('stops guesses from one network, at whatever name', async () => {
    const { brake } = people();
    for (let i = 0; i < LIMITS.signInsPerNetwork.value; i += 1)
      expect(await brake.begin({ kind: 'name', who: `name-${i}`, network: '203.0.113.1' })).toBe(0);
    expect(await brake.begin({ kind: 'name', who: 'somebody', network: '203.0.113.1' })).toBeGreaterThan(0);
  });

  it('refuses for no longer than its window when the clock of Redis is set back', async () => {
    const { brake } = people();
    const attempt = { kind: 'name', who: 'set-back', network: '203.0.113.9' } as const;
    for (let i = 0; i < LIMITS.signInsPerName.value; i += 1) await brake.begin(attempt);
    const count = new PeopleKeys(t.harness.namespace).failures('name', hash('sha256', 'set-back', 'base64url'));
    await t.redis.pexpire(count, 24 * 3_600_000);
    expect(await brake.begin(attempt)).toBeGreaterThan(0);
    expect(await t.redis.pttl(count)).toBeLessThanOrEqual(15 * 60_000);
  });

  it('lets no guess through that comes at the same moment', async () => {
    const guess = () => people().brake.begin({ kind: 'name', who: 'at-once', network: '203.0.113.2' });
    const waits = await Promise.all(Array.from({ length: 50 }, guess));
    expect(waits.filter((ms) => ms === 0)).toHaveLength(LIMITS.signInsPerName.value);
  });

  it('does not count who knows the password', async () => {
    const { brake } = people();
    const attempt = { kind: 'name', who: 'carl', network: '203.0.113.3' } as const;
    for (let i = 0; i < 3 * LIMITS.signInsPerNetwork.value; i += 1) {
      expect(await brake.begin(attempt)).toBe(0);
      await brake.succeeded(attempt);
    }
  });

  it('does not count what nobody could judge, and forgets no guess for it', async () => {
    const { brake } = people();
    const attempt = { kind: 'name', who: 'dina', network: '203.0.113.4' } as const;
    for (let i = 1; i < LIMITS.signInsPerName.value; i += 1) expect(await brake.begin(attempt)).toBe(0);
    for (let i = 0; i < LIMITS.signInsPerNetwork.value; i += 1) {
      expect(await brake.begin(attempt)).toBe(0);
      await brake.undecided(attempt);
    }
    expect(await brake.begin(attempt)).toBe(0);
    expect(await brake.begin(attempt)).toBeGreaterThan(0);
  });

  it.each(['answer', 'link'] as const)('closes the way of %s to nobody by names that are typed', async (kind) => {
    const { brake } = people();
    const who = '203.0.113.5';
    for (const typed of [who, kind, `${kind} ${who}`])
      for (let i = 0; i < LIMITS.signInsPerName.value; i += 1)
        await brake.begin({ kind: 'name', who: typed, network: `198.51.100.${i}` });
    expect(await brake.begin({ kind, who, network: who })).toBe(0);
  });
});

test.each([
  keys.people(),
  keys.apiTokens(),
  keys.session('d'),
  keys.failures('name', 'd'),
  keys.signInLink('d'),
  keys.sessionsEnd('d'),
])('%s is of one family', (key) =>
  expect(KEY_FAMILIES.filter(({ pattern }) => pattern.test(key.slice(1)))).toHaveLength(1),
);
