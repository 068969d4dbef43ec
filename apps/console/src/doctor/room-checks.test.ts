import type { RoomOfApp } from '@pushfleet/store';
import { roomCheck } from './room-checks';

const room = (changes: Partial<RoomOfApp>): RoomOfApp => ({
  ...{ installations: 10, bytes: 10_000, messagingBytes: 0, unconfirmed: 0, evicted: 0 },
  ceiling: { installations: 100, bytes: 100_000 },
  ...changes,
});

test.each<[string, Partial<RoomOfApp>, string]>([
  ['far from its ceilings', {}, 'ok'],
  ['without ceilings', { ceiling: { installations: Infinity, bytes: Infinity } }, 'ok'],
  ['near its number', { installations: 80 }, 'warning'],
  ['near its bytes', { bytes: 81_000 }, 'warning'],
  ['at it, with unconfirmed ones to go', { installations: 100, unconfirmed: 3 }, 'warning'],
  ['at it, with nothing to go', { bytes: 100_000 }, 'problem'],
])('an app %s is told of', (_, changes, status) => {
  expect(roomCheck('app', room(changes))).toMatchObject({ check: 'app-room', subject: 'app', status });
});
