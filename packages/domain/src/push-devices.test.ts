import { InvalidInput, type InputProblem } from './invalid-input';
import { parseDevicePush } from './push-devices';

const NOW = Date.parse('2026-01-02T03:04:05.678Z');
const asItIs = <T>(section: T): T => section;
const context = { now: NOW, sections: { hms: asItIs }, vendors: new Map([['HMS', 'hms']]) };
const body = (changes: object = {}) => ({
  ...{ device_type: 'android', vendor: 'HMS', device_ids: ['r1', 'r2', 'r1'], data: { alert: 'hi' } },
  ...changes,
});
const parse = (changes?: object) => parseDevicePush(body(changes), context);

it('names the devices of one vendor, each once', () => {
  expect(parse().audience).toEqual({ devices: { bucket: 'hms/_default', registrationIds: ['r1', 'r2'] } });
});

it('device_profile chooses the credentials', () => {
  expect(parse({ device_profile: 'beta' }).audience.devices?.bucket).toBe('hms/beta');
});

it.each([undefined, '', 'lc'])('with the vendor %j the ids are installationIds', (vendor) => {
  expect(parse({ vendor }).audience).toEqual({ addressed: { field: 'installationId', values: ['r1', 'r2'] } });
});

it.each([
  [{ device_type: 'ios' }, 'ios'],
  [{ vendor: 'fcm' }, 'unknown'],
])('%j is in the bucket %s', (changes, bucket) => {
  expect(parse(changes).audience.devices?.bucket).toBe(bucket);
});

it('carries expiry, ids and the notification channel', () => {
  const request = parse({
    expiration_interval: '60',
    notification_id: 'n1',
    req_id: 'q1',
    channel: 'news',
    prod: 'dev',
  });
  expect(request).toMatchObject({ expiresAt: NOW + 60_000, notificationId: 'n1', reqId: 'q1', prod: 'dev' });
  expect(request.content.notificationChannel).toBe('news');
});

it('parameters of other pushes are warned of, as the push goes at once to all that it names', () => {
  const { warnings } = parse({
    push_time: '2026-01-03T00:00:00Z',
    where: { level: 1 },
    flow_control: null,
    tomorrow: 1,
  });
  expect(warnings.map(({ path }) => path).sort()).toEqual(['push_time', 'where']);
});

it('what was meant for the data, or is misspelled, is warned of', () => {
  const { warnings } = parse({ silent: true, badge: 1, vender: 'HMS', deviceProfile: 'beta', hms: {}, ios: {} });
  expect(warnings).toEqual([
    { path: 'silent', message: 'is not read beside data; its place is data.silent' },
    { path: 'vender', message: 'is not read; vendor is the parameter of a similar name' },
    { path: 'deviceProfile', message: 'is not read; device_profile is the parameter of a similar name' },
  ]);
});

it('a vendor that nobody is with, for its letters too, is warned of: none of the devices gets the push', () => {
  const message = 'is none of HMS: there is no channel for it, and all devices are discarded';
  expect(parse({ vendor: 'hms' }).warnings).toEqual([{ path: 'vendor', message }]);
  for (const vendor of ['HMS', 'lc', '', undefined]) expect(parse({ vendor }).warnings).toEqual([]);
});

it('lives no longer than any push, which is told', () => {
  const { expiresAt, warnings } = parse({ expiration_time: '9999-12-31T00:00:00.000Z' });
  expect(expiresAt).toBe(NOW + 30 * 86_400_000);
  expect(warnings).toEqual([
    {
      path: 'expiration_time',
      message: 'is more than 30 days after the push: it expires at 2026-02-01T03:04:05.678Z',
    },
  ]);
});

it('a parameter within the data, and a time without a zone, are warned of', () => {
  const { warnings } = parse({ data: { alert: 'a', req_id: 'q1' }, expiration_time: '2026-01-03T00:00:00' });
  expect(warnings.map(({ path }) => path)).toEqual(['data.req_id', 'expiration_time']);
});

it.each([
  [{ device_type: undefined }, 'required-field'],
  [{ device_type: 'web' }, 'wrong-type'],
  [{ device_ids: undefined }, 'required-field'],
  [{ device_ids: [] }, 'required-field'],
  [{ device_ids: 'r1' }, 'wrong-type'],
  [{ device_ids: [1] }, 'wrong-type'],
  [{ device_ids: ['a,b'] }, 'wrong-type'],
  [{ device_ids: ['x'.repeat(513)] }, 'wrong-type'],
  [{ device_ids: Array.from({ length: 501 }, (_, i) => `r${i}`) }, 'threshold'],
  [{ device_profile: '1' }, 'wrong-type'],
  [{ vendor: 1 }, 'wrong-type'],
  [{ data: undefined }, 'required-field'],
])('%j is refused', (changes, problem) => {
  let found: InputProblem | undefined;
  try {
    parse(changes);
  } catch (error) {
    found = error instanceof InvalidInput ? error.problem : undefined;
  }
  expect(found).toBe(problem);
});
