import { type SimulatorRequest } from '@pushfleet/channel-kit/testing';
import { MessageLog } from './message-log';

const request = (body: string): SimulatorRequest => ({
  method: 'POST',
  path: '/send',
  query: new URLSearchParams(),
  headers: {},
  body,
});
const sentTo = (registrationIds: readonly string[], message: unknown = {}) => ({
  pushId: 'p',
  registrationIds,
  messageId: 'm',
  message,
});
const limits = { messages: 3, devicesPerMessage: 100 };

describe('MessageLog', () => {
  it('gives the newest first and forgets the oldest', () => {
    const log = new MessageLog('hms', limits);
    const bodies = () => log.newestFirst(10).map(({ body }) => body);
    ['a', 'b'].forEach((body, at) => log.add(request(body), sentTo(['d']), at));
    expect(bodies()).toEqual(['b', 'a']);
    ['c', 'd'].forEach((body, at) => log.add(request(body), sentTo(['d']), at));
    expect(bodies()).toEqual(['d', 'c', 'b']);
    expect(log.newestFirst(1).map(({ body }) => body)).toEqual(['d']);
  });

  it('keeps the message of a big batch readable and cuts its addresses', () => {
    const log = new MessageLog('hms', limits);
    const ids = Array.from({ length: 1_000 }, (_, i) => `token-${String(i).padStart(20, '0')}`);
    const body = JSON.stringify({ message: { token: ids, android: { text: 'hello' } } });
    log.add(request(body), sentTo(ids, { token: ids }), 1);
    const [kept] = log.newestFirst(1);
    expect(JSON.parse(kept?.body ?? '')).toEqual({
      message: { token: [...ids.slice(0, 3), '…'], android: { text: 'hello' } },
    });
    expect(kept?.sent.registrationIds).toEqual(ids.slice(0, 100));
    expect(kept?.sent.message).toEqual({ token: ids.slice(0, 100) });
  });

  it('bounds a big body whose addresses are not in it', () => {
    const log = new MessageLog('vivo', limits);
    log.add(request('x'.repeat(100_000)), sentTo(['a', 'b', 'c', 'd']), 1);
    expect(log.newestFirst(1)[0]?.body).toBe(`${'x'.repeat(8_192)}…`);
  });
});
