import { pushText, textOf, type Push } from './push-record';

const push: Push = {
  ...{ objectId: 'push-1', notificationId: 'n-1', status: 'in-queue', createdAt: '2030-01-02T03:04:05.678Z' },
  ...{ devices: 13, successes: 5 },
  channels: {
    mi: {
      ...{ matched: 10, accepted: 5, delivered: 4, outstanding: 1 },
      discarded: { 'registration-gone': 2, expired: 1, 'quota-exceeded': 0 },
      failed: { unreachable: 1 },
    },
    own: { matched: 3, accepted: 0, delivered: 0, discarded: {}, failed: {}, outstanding: 3 },
  },
  errors: [
    {
      ...{ channel: 'mi', reason: 'registration-gone', count: 2, action: 'drop-registration' },
      ...{ vendorCode: '20301', vendorMessage: 'no such device' },
    },
  ],
};

describe('pushText', () => {
  it('shows the books of each channel, refusals by reason', () => {
    const lines = pushText(push)
      .split('\n')
      .map((line) => line.replace(/ {2,}/g, ' | '));
    expect(lines).toContain('CHANNEL | MATCHED | ACCEPTED | DELIVERED | DISCARDED | FAILED | OUTSTANDING');
    expect(lines).toContain('mi | 10 | 5 | 4 | registration-gone 2, expired 1 | unreachable 1 | 1');
    expect(lines).toContain('own | 3 | 0 | 0 | 0 | 0 | 3');
  });

  it("shows the vendor's words and what to do", () => {
    expect(pushText(push)).toMatch(/mi +registration-gone +2 +20301 +drop-registration +no such device/);
  });

  it('shows what channels left out, when they did', () => {
    const warnings = [{ channel: 'hms', message: 'attributes: in the intent of the tap alone', count: 7 }];
    expect(pushText({ ...push, warnings })).toMatch(/hms +7 +attributes: in the intent of the tap alone/);
    expect(pushText(push)).not.toContain('WARNING');
  });

  it('shows what waits, and why', () => {
    const until = '2030-01-03T00:00:00.000Z';
    const wait = { channel: 'mi', profile: '_default', reason: 'paused', until, devices: 7 };
    expect(pushText({ ...push, waiting: [wait] })).toMatch(/mi +_default +7 +paused +2030-01-03/);
    expect(pushText(push)).not.toContain('WAITING');
  });

  it('shows what became of an installation when it was asked for', () => {
    const installation = { objectId: 'device-1', outcome: 'discarded', channel: 'mi', reason: 'registration-gone' };
    expect(pushText({ ...push, installation })).toMatch(/installation: +device-1\noutcome: +discarded\n/);
    expect(pushText(push)).not.toContain('installation:');
  });

  it('shows what was sent, to whom and when', () => {
    const sent: Push = {
      ...push,
      ...{ msg: { alert: 'Your parcel is here' }, where: { channels: { $in: ['user-1'] } }, cancelled: true },
      ...{ cancelledAt: '2030-01-02T04:00:00.000Z', notSent: 7 },
      ...{ 'push-time': '2030-01-03T00:00:00.000Z', expiresAt: '2030-01-09T03:04:05.678Z' },
    };
    const text = pushText(sent);
    expect(text).toMatch(
      /^status: +in-queue \(cancelled, 7 not sent\)\ncancelled: +2030-01-02T04:00:00.000Z\nnot sent: +7\ntext: +Your/m,
    );
    expect(text).toMatch(/^audience: +\{"channels":\{"\$in":\["user-1"\]\}\}$/m);
    expect(text).toMatch(/^push time: +2030-01-03T00:00:00.000Z\nexpires: +2030-01-09/m);
    expect(pushText({ ...push, where: {} })).toMatch(/^audience: +everybody$/m);
    expect(pushText({ ...push, where: { uid: 1234567890123456789n } })).toContain('{"uid":1234567890123456789}');
  });

  it('shows title and body in one line, however long they are', () => {
    const alert = { title: 'Parcel', body: 'x'.repeat(100) };
    expect(textOf({ ...push, msg: { alert } })).toBe(`Parcel: ${'x'.repeat(51)}…`);
    expect(textOf({ ...push, msg: { title: 'Parcel', alert: 'is here' } })).toBe('Parcel: is here');
    expect(textOf({ ...push, msg: { android: { alert: 'x' }, ios: { alert: 'y' } } })).toBeUndefined();
  });

  it('names some of the refused devices, and what to do', () => {
    const samples = ['device-1', 'device-2', 'device-3', 'device-4'];
    const errors = push.errors.map((error) => ({ ...error, samples }));
    const text = pushText({ ...push, errors });
    expect(text).toMatch(/^mi +registration-gone +device-1 device-2 device-3$/m);
    expect(text).toMatch(/^registration-gone +Nothing here\. The device is reached again/m);
  });

  it('shows no empty tables for a push that nobody matched', () => {
    expect(pushText({ ...push, channels: {}, errors: [] })).not.toContain('CHANNEL');
  });
});
