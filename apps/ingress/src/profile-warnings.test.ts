import { DEFAULT_APP_SETTINGS, type App, type JsonObject } from '@pushfleet/domain';
import { channels } from '@pushfleet/channels';
import { openProfileWarnings } from './profile-warnings';

const app: App = { ...DEFAULT_APP_SETTINGS, id: 'app', name: 'App', edition: 'commercial', hybrid: true };
const contentOf = (data: JsonObject) => ({ data, sections: {} });

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
  expect(await warnings(app, contentOf({ alert: 'a', k: 1 }))).toEqual([]);
  expect(await warnings({ ...app, hybrid: false }, contentOf({ alert: 'a', badge: 1 }))).toEqual([]);
  expect(asked).toEqual([]);
});

test('default profiles are asked for once in five seconds, those of channels that exist', async () => {
  const { warnings, asked, pass } = openRig(['hms/_default', 'hms/other', 'gone/_default']);
  for (let i = 0; i < 3; i += 1) await warnings(app, contentOf({ alert: 'a', badge: 1 }));
  expect(asked).toEqual(['hms']);
  pass(5000);
  await warnings(app, contentOf({ alert: 'a', badge: 1 }));
  expect(asked).toEqual(['hms', 'hms']);
});

test('a profile that cannot be read costs its warnings and not the push', async () => {
  const { warnings, unreadable } = openRig(['hms/_default']);
  expect(await warnings(app, contentOf({ alert: 'a', badge: 1 }))).toEqual([]);
  expect(unreadable).toHaveLength(1);
});
