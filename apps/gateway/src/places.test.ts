import type { Connection } from './connection';
import { Places, type Place } from './places';

const connection = (name: string): Connection => ({ id: name }) as unknown as Connection;
const place = (app: string, installationId: string, on = connection('c')): Place => ({
  ...{ connection: on, identity: { app, installationId }, login: 1, renewedAt: 0 },
});

test('the same installationId of two apps is two places', () => {
  const places = new Places();
  const [one, other] = [place('a', 'x'), place('b', 'x')];
  expect([places.put(one), places.put(other)]).toEqual([undefined, undefined]);
  expect([places.get(one.identity), places.get(other.identity), places.size]).toEqual([one, other, 2]);
  expect([...places]).toEqual([one, other]);
});

test('whoever comes last has the place, and only he can give it back', () => {
  const places = new Places();
  const [former, latter] = [place('a', 'x', connection('1')), place('a', 'x', connection('2'))];
  places.put(former);
  expect(places.put(latter)).toBe(former);
  places.remove(former.connection, former.identity);
  expect([places.get(former.identity), places.size]).toEqual([latter, 1]);
  places.remove(latter.connection, latter.identity);
  expect([places.size, [...places]]).toEqual([0, []]);
});
