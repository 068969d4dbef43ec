import { placeOf } from './redis-place';
import { sentinelsIn } from './sentinel-address';

it('reads hosts with ports and without, user, password and database', () => {
  expect(sentinelsIn('rediss+sentinel://user:p%40ss@a,[::1]:1,10.0.0.1/main/3')).toEqual({
    sentinels: [
      { host: 'a', port: 26_379 },
      { host: '::1', port: 1 },
      { host: '10.0.0.1', port: 26_379 },
    ],
    ...{ master: 'main', username: 'user', password: 'p@ss', db: 3 },
  });
  expect(sentinelsIn('redis://a:1')).toBeUndefined();
});

it.each([
  ...['a:1', 'a:1/', 'a:1,/main', 'a:1/main/first', 'a:1/main?db=1', ':1/main'],
  ...['h:70000/main', 'h:0/main', '[zz]:1/main', ':50%@h:1/main', 'us%er:p@h:1/main', 'h:1/%zz'],
])('refuses redis+sentinel://%s in one line that names the variable and no password', (rest) => {
  const REDIS_URL = `redis+sentinel://${rest}`;
  expect(sentinelsIn(REDIS_URL)).toBeUndefined();
  expect(() => placeOf({ REDIS_URL })).toThrow(
    expect.objectContaining({
      code: 'config-invalid',
      lines: [expect.stringMatching(/^REDIS_URL: must be redis\+sentinel:\/\/host:port,host:port\/master-name, /)],
    }),
  );
});
