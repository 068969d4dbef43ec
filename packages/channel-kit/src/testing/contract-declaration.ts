/// <reference types="jest" />
import type { JsonObject } from '@pushfleet/domain';
import { openTrial, openWarmTrial, thrownBy, type Subject } from './contract-rig';
import { SIMULATOR_SECRET } from './simulator';

/** Refused in every section, whichever of them the vendor understands. */
const TARGET_KEYS = ['token', 'topic', 'condition', 'registration_id', 'regIds', 'pushIds'];

interface Issue {
  readonly code: string;
  readonly path: readonly PropertyKey[];
  readonly keys?: readonly string[];
}

export function describeDeclaration(subject: Subject): void {
  const { channel, profile } = subject;

  it('declares limits and names that shared code can work with', () => {
    expect(channel.name).toBe(channel.vendor.toLowerCase());
    for (const name of Object.values(channel.names)) expect(name).toMatch(/^\S.{0,30}$/);
    expect(channel.successesField).toMatch(/^[a-zA-Z][a-zA-Z0-9]*Successes$/);
    expect(channel.capabilities.maxBatch).toBeGreaterThanOrEqual(1);
    expect(channel.capabilities.maxPayloadBytes ?? 1).toBeGreaterThanOrEqual(1);
    expect(channel.parseReceipt !== undefined).toBe(channel.capabilities.receipts);
    for (const limit of Object.values(channel.budget)) expect(limit).toBeGreaterThan(0);
    for (const [name, origin] of Object.entries(channel.endpoints)) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]*_URL$/);
      expect(new URL(origin).origin).toBe(origin);
      expect(origin).toMatch(/^https:/);
    }
  });

  it('the simulator knows the paths of the vendor and no others', async () => {
    const { simulator, http } = await openWarmTrial(subject);
    for (const { path } of http.requests) expect(simulator.handles(path)).toBe(true);
    for (const path of ['/', '/_simulator/stats', '/no/such/vendor']) expect(simulator.handles(path)).toBe(false);
  });

  it('calls go to the origins that the operator configured', async () => {
    const names = Object.keys(channel.endpoints);
    const elsewhere = Object.fromEntries(names.map((name, index) => [name, `https://vendor-${index}.test`]));
    const { send, http } = openTrial({ ...subject, channel: { ...channel, endpoints: elsewhere } });
    await send();
    expect(Object.values(elsewhere)).toEqual(expect.arrayContaining([...http.origins]));
    expect(http.sent).toHaveLength(1);
  });

  describeProfile(subject);
  describeSection(subject);

  it('every secret of the sample profile is declared secret', () => {
    const secrets = Object.keys(profile).filter((key) => profile[key] === SIMULATOR_SECRET);
    expect(channel.secretFields).toEqual(expect.arrayContaining(secrets));
    expect(secrets.length).toBeGreaterThan(0);
  });
}

function describeProfile({ channel, profile }: Subject): void {
  const issuesOf = (input: unknown): readonly Issue[] => {
    try {
      channel.parseProfile(input);
      return [];
    } catch (error) {
      return error instanceof Error && 'issues' in error ? (error.issues as readonly Issue[]) : [];
    }
  };
  const without = (key: string): JsonObject =>
    Object.fromEntries(Object.entries(profile).filter(([name]) => name !== key));
  const isRequired = (key: string): boolean =>
    issuesOf(without(key)).some(({ code, path }) => code !== 'custom' && path[0] === key);

  it('every field of a profile says what it is for, in English and in Chinese', () => {
    const both = {
      en: expect.stringMatching(/\w{3}/) as string,
      'zh-CN': expect.stringMatching(/\p{Script=Han}{2}/u) as string,
    };
    for (const { name, descriptions } of channel.profileFields) expect([name, descriptions]).toEqual([name, both]);
  });

  it('a complete profile is parsed as it is', () => {
    expect(channel.parseProfile(profile)).toEqual(profile);
  });

  it('every missing field of a profile is named at once', () => {
    const named = issuesOf({}).map(({ path }) => String(path[0]));
    expect(named.sort()).toEqual(Object.keys(profile).filter(isRequired).sort());
    expect(named).not.toEqual([]);
  });

  it('an unknown field of a profile is refused by name', () => {
    expect(issuesOf({ ...profile, surprise: 1 })).toMatchObject([{ code: 'unrecognized_keys', keys: ['surprise'] }]);
  });

  it('a package name is at most 128 bytes long', () => {
    expect(channel.parseProfile({ ...profile, packageName: '包'.repeat(42) })).toHaveProperty('packageName');
    for (const packageName of ['a'.repeat(129), '包'.repeat(43)]) {
      expect(issuesOf({ ...profile, packageName })).toMatchObject([{ path: ['packageName'] }]);
    }
  });

  it('a profile may carry a budget, and switch a limit off', () => {
    for (const budget of [{ requestsPerSecond: 10, devicesPerSecond: 500, callsInFlight: 4 }, { requestsPerSecond: 0 }])
      expect(channel.parseProfile({ ...profile, budget })).toEqual({ ...profile, budget });
    for (const budget of [{ requestsPerSecond: -1 }, { callsInFlight: 1.5 }, { perSecond: 1 }])
      expect(issuesOf({ ...profile, budget })).toHaveLength(1);
  });
}

function describeSection({ channel }: Subject): void {
  it('an empty section changes nothing', () => {
    expect(channel.parseSection({})).toEqual({});
  });

  it('a section takes an object and a list under any key', () => {
    expect(() => channel.parseSection({ aKeyOfTomorrow: { a: [1] }, another: [{ b: null }] })).not.toThrow();
  });

  it('an integer that no field of a vendor holds is refused by its path', () => {
    for (const [section, path] of [
      [{ aKeyOfTomorrow: 2n ** 53n }, 'aKeyOfTomorrow'],
      [{ another: [{ b: -(2n ** 63n) }] }, 'another[0].b'],
    ] as const) {
      const error = thrownBy(() => channel.parseSection(section));
      expect([error.name, error.message.split(': ')[0]]).toEqual(['SectionProblem', path]);
    }
  });

  it.each(TARGET_KEYS)('a section that carries %s is refused by name', (key) => {
    const error = thrownBy(() => channel.parseSection({ [key]: 'someone' }));
    expect(error.name).toBe('SectionProblem');
    expect(error.message).toContain(key);
  });
}
