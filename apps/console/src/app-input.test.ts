import { DEFAULT_APP_SETTINGS, type AppSettings } from '@pushfleet/domain';
import { newApp, withChange } from './app-input';

const settings = (change: Partial<AppSettings> = {}): AppSettings => ({
  ...DEFAULT_APP_SETTINGS,
  name: 'Test',
  edition: 'commercial',
  ...change,
});

describe('newApp', () => {
  it('generates an id of more than eight characters without a dash', () => {
    expect(newApp({ name: 'Test', edition: 'developer' }).id).toMatch(/^[A-Za-z0-9]{9,64}$/);
  });

  it('completes given credentials with generated ones', () => {
    const app = newApp({ name: 'Test', edition: 'developer', id: 'given-id-9Nh9j0Va', masterKey: 'given' });
    expect(app).toMatchObject({ id: 'given-id-9Nh9j0Va', masterKey: 'given', key: expect.stringMatching(/^\w{20,}$/) });
  });
});

describe('newApp of a hosted one', () => {
  it('counts the channels of devices as client ids, unless it is told otherwise', () => {
    const given = { name: 'Test', edition: 'developer', id: 'given-id-9Nh9j0Va' } as const;
    expect(newApp(given)).toMatchObject({ chatByChannel: true, offlinePush: null });
    expect(newApp({ ...given, chatByChannel: false })).toMatchObject({ chatByChannel: false });
    expect(newApp({ name: 'Test', edition: 'developer' })).toMatchObject({ chatByChannel: false });
  });
});

describe('withChange', () => {
  it('keeps every setting that is not named, single limits included', () => {
    const next = withChange(settings({ hybrid: true }), { name: undefined, limits: { callsPerMinute: 0 } });
    expect(next).toEqual(settings({ hybrid: true, limits: { ...DEFAULT_APP_SETTINGS.limits, callsPerMinute: 0 } }));
  });

  it('lets the edition rise and hybrid go on in one change, and both go back in one', () => {
    const risen = withChange(settings({ edition: 'developer' }), { edition: 'commercial', hybrid: true });
    expect(risen).toMatchObject({ edition: 'commercial', hybrid: true });
    const lowered = withChange(risen, { edition: 'developer', hybrid: false });
    expect(lowered).toMatchObject({ edition: 'developer', hybrid: false });
  });

  it('refuses to lower the edition under a running hybrid', () => {
    expect(() => withChange(settings({ hybrid: true }), { edition: 'developer' })).toThrow('switch hybrid off first');
  });

  it('refuses hybrid in the developer edition', () => {
    const change = () => withChange(settings({ edition: 'developer' }), { hybrid: true });
    expect(change).toThrow(expect.objectContaining({ problem: 'conflict' }));
  });
});
