import { DEFAULT_APP_SETTINGS, type App, type JsonObject } from '@pushfleet/domain';
import { channels } from '@pushfleet/channels';
import { openProfileWarnings } from './profile-warnings';

const app: App = { ...DEFAULT_APP_SETTINGS, id: 'app', name: 'App', edition: 'commercial', hybrid: true };
const pushOf = (data: JsonObject) => ({ content: { data, sections: {} }, audience: {} });

function openRig(names: readonly string[]) {
  const asked: string[] = [];
  const unreadable: unknown[] = [];
  let time = 0;
  const warnings = openProfileWarnings({
    profiles: {
      names: () => Promise.resolve(new Set(names)),
      get: ({ channel }) => {
        asked.push(channel);
        return Promise.reject(new Error('sealed with another key'));
      },
    },
    channels,
    now: () => time,
    onUnreadable: (error) => unreadable.push(error),
  });
  return { warnings, asked, unreadable, pass: (ms: number) => (time += ms) };
}

test('a message of text and attributes asks for no profile', async () => {
  const { warnings, asked } = openRig(['hms/_default']);
  expect(await warnings(app, pushOf({ alert: 'a', k: 1 }))).toEqual([]);
  expect(await warnings({ ...app, hybrid: false }, pushOf({ alert: 'a', badge: 1 }))).toEqual([]);
  expect(asked).toEqual([]);
});

test('default profiles are asked for once in five seconds, those of channels that exist', async () => {
  const { warnings, asked, pass } = openRig(['hms/_default', 'hms/other', 'gone/_default']);
  for (let i = 0; i < 3; i += 1) await warnings(app, pushOf({ alert: 'a', badge: 1 }));
  expect(asked).toEqual(['hms']);
  pass(5000);
  await warnings(app, pushOf({ alert: 'a', badge: 1 }));
  expect(asked).toEqual(['hms', 'hms']);
});

test('they are asked for again when the clock is set back', async () => {
  const { warnings, asked, pass } = openRig(['hms/_default']);
  await warnings(app, pushOf({ alert: 'a', badge: 1 }));
  pass(-3_600_000);
  await warnings(app, pushOf({ alert: 'a', badge: 1 }));
  expect(asked).toEqual(['hms', 'hms']);
});

test('a profile that cannot be read costs its warnings and not the push', async () => {
  const { warnings, unreadable } = openRig(['hms/_default']);
  expect(await warnings(app, pushOf({ alert: 'a', badge: 1 }))).toEqual([]);
  expect(unreadable).toHaveLength(1);
});

test('a push to devices of one vendor is warned of what their profile makes of it, and of no other', async () => {
  const stored: Readonly<Record<string, JsonObject>> = {
    hms: { appId: '1', appSecret: 's' },
    mi: { appId: '1', appSecret: 's', packageName: 'cn.example' },
  };
  const warnings = openProfileWarnings({
    profiles: {
      names: () => Promise.resolve(new Set(['hms/_default', 'hms/beta', 'mi/_default'])),
      get: ({ channel }) => Promise.resolve({ value: stored[channel] ?? {}, receiptKey: 'k' }),
    },
    channels,
    now: () => 0,
    onUnreadable: (error) => {
      throw error;
    },
  });
  const { content } = pushOf({ alert: 'a', action: 'a', badge: 1 });
  const pathsTo = async (bucket?: string): Promise<readonly string[]> => {
    const audience = bucket === undefined ? {} : { devices: { bucket, registrationIds: ['r1'] } };
    return (await warnings(app, { content, audience })).map(({ path }) => path);
  };
  expect(await pathsTo()).toEqual(['data.badge', 'data.action']);
  expect(await pathsTo('hms/_default')).toEqual(['data.badge']);
  expect(await pathsTo('mi/_default')).toEqual(['data.action']);
  for (const bucket of ['hms/beta', 'oppo/_default', 'unknown']) expect(await pathsTo(bucket)).toEqual([]);
});
