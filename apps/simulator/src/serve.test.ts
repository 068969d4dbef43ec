import { createServer, type Server } from 'node:http';
import { closeServer, createLogger, listen } from '@pushfleet/service-kit';
import { type StatsRow } from './channel-stats';
import { createSimulatorServer } from './serve';
import { makeFakeVendor } from './testing/fake-vendor';
import { Vendors } from './vendors';

const simulators = { hms: makeFakeVendor('/h/'), mi: makeFakeVendor('/m/'), own: makeFakeVendor('/o/', false) };
const NOW = Date.parse('2026-03-01T00:00:00Z');
const vendors = new Vendors(simulators, { now: () => NOW, limits: { messages: 50, devicesPerMessage: 10 } });
const log = createLogger({ LOG_LEVEL: 'silent', LOG_TO: 'stderr' }, 'simulator');

const servers: Server[] = [];
const serve = async (server: Server): Promise<string> => {
  servers.push(server);
  return (await listen(server, { port: 0, host: '127.0.0.1', variable: 'SIMULATOR_PORT' })).url;
};

let url: string;
beforeAll(async () => {
  url = await serve(createSimulatorServer(vendors, log));
});
afterAll(() => Promise.all(servers.map((server) => closeServer(server))));
beforeEach(() => call('DELETE', '/_simulator'));

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(url + path, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}
const push = (path: string, message: object) => call('POST', path, message);
const readStats = async () => (await call('GET', '/_simulator/stats')).body as Record<string, StatsRow>;
const put = (fault: object) => call('PUT', '/_simulator/faults', fault);

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition()));
}

describe('a vendor path', () => {
  it('is answered by the vendor that it belongs to, with the headers of the call', async () => {
    const answer = await fetch(`${url}/m/token?a=1`, { headers: { 'X-Secret': 'abc' } });
    expect(answer.headers.get('content-type')).toBe('application/json;charset=UTF-8');
    expect(await answer.json()).toEqual({ token: 'abc' });
  });

  it('of no vendor is a 404 in JSON', async () => {
    expect(await call('GET', '/nowhere')).toMatchObject({ status: 404, body: { code: 404 } });
  });

  it('takes no body over 8 MiB', async () => {
    expect(await push('/h/send', { push: 'a'.repeat(8 * 1024 * 1024), to: [] })).toMatchObject({ status: 413 });
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({ hms: { calls: 0 } });
  });

  it('answers 500 when the simulator itself fails', async () => {
    expect(await push('/h/send', {})).toMatchObject({ status: 500, body: { code: 1 } });
  });
});

describe('GET /_simulator/stats', () => {
  const idle = { calls: 0, devices: 0, distinctDevices: 0, duplicates: 0 };

  it('counts calls, devices, distinct devices and repeats per channel', async () => {
    await push('/h/send', { push: 'p1', to: ['a', 'b', 'gone-1'] });
    await push('/h/send', { push: 'p1', to: ['b', 'c'] });
    await push('/h/send', { push: 'p2', to: ['a'] });
    await push('/m/token', {});
    expect(await call('GET', '/_simulator/stats')).toEqual({
      status: 200,
      body: {
        hms: { calls: 3, devices: 5, distinctDevices: 3, duplicates: 1 },
        mi: { ...idle, calls: 1 },
        own: idle,
      },
    });
  });

  it('takes messages without a push id for different ones', async () => {
    await push('/h/send', { push: '', to: ['a', 'a'] });
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({
      hms: { devices: 2, distinctDevices: 1, duplicates: 0 },
    });
  });

  it('starts from nothing after DELETE /_simulator', async () => {
    await push('/h/send', { push: 'p1', to: ['a'] });
    await put({ channel: 'hms', kind: 'quota' });
    expect((await call('DELETE', '/_simulator')).status).toBe(200);
    expect((await call('GET', '/_simulator/stats')).body).toEqual({ hms: idle, mi: idle, own: idle });
    expect((await call('GET', '/_simulator/messages')).body).toEqual({ results: [] });
    expect((await call('GET', '/_simulator/faults')).body).toEqual({ results: [] });
  });
});

describe('GET /_simulator/messages', () => {
  it('lists what vendors took, newest first, of one channel when asked', async () => {
    await push('/h/send', { push: 'p1', to: ['a', 'gone-1'] });
    await push('/h/send', { push: 'p2', to: ['b'] });
    await push('/m/send', { push: 'p3', to: ['c'] });
    const { body } = await call('GET', '/_simulator/messages?channel=hms');
    expect(body).toEqual({
      results: [
        expect.objectContaining({ pushId: 'p2' }),
        {
          channel: 'hms',
          at: '2026-03-01T00:00:00.000Z',
          path: '/h/send',
          body: '{"push":"p1","to":["a","gone-1"]}',
          registrationIds: ['a'],
          pushId: 'p1',
          message: { push: 'p1', to: ['a', 'gone-1'] },
        },
      ],
    });
    expect((await call('GET', '/_simulator/messages?limit=2')).body['results']).toHaveLength(2);
  });

  it.each([
    ['limit=many', 'limit'],
    ['channel=apns', 'channel'],
  ])('refuses ?%s and names %s', async (query, path) => {
    expect(await call('GET', `/_simulator/messages?${query}`)).toMatchObject({
      status: 400,
      body: { details: [{ path }] },
    });
  });
});

describe('PUT /_simulator/faults', () => {
  it('makes the vendor misbehave, and only as often as asked', async () => {
    expect((await put({ channel: 'hms', kind: 'throttled', count: 1 })).body).toEqual({
      channel: 'hms',
      kind: 'throttled',
      share: 1,
      count: 1,
      delayMs: 0,
    });
    expect(await push('/h/send', { push: 'p', to: ['a'] })).toEqual({ status: 429, body: { kind: 'throttled' } });
    expect((await push('/h/send', { push: 'p', to: ['a'] })).status).toBe(200);
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({
      hms: { calls: 2, devices: 1, duplicates: 0 },
    });
  });

  it('says what it was told to the calls it was told of, and those reach nobody', async () => {
    const answer = { status: 400, body: '{"code":7}' };
    await put({ channel: 'hms', kind: 'answer', body: '"b"', answer });
    expect(await push('/h/send', { push: 'p', to: ['a', 'b'] })).toEqual({ status: 400, body: { code: 7 } });
    expect((await push('/h/send', { push: 'p', to: ['a'] })).status).toBe(200);
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({ hms: { calls: 2, devices: 1 } });
  });

  it.each([{ kind: 'answer' }, { kind: 'reset', answer: { body: '' } }])('refuses %j', async (fault) => {
    expect((await put({ channel: 'hms', ...fault })).status).toBe(400);
  });

  it('tears the connection for reset, and the message was not taken', async () => {
    await put({ channel: 'hms', kind: 'reset' });
    await expect(push('/h/send', { push: 'p', to: ['a'] })).rejects.toThrow('fetch failed');
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({ hms: { calls: 1, devices: 0 } });
  });

  it('delays the answer for slow, and the message was taken at once', async () => {
    await put({ channel: 'hms', kind: 'slow', delayMs: 300 });
    let isAnswered = false;
    const answer = push('/h/send', { push: 'p', to: ['a'] }).finally(() => {
      isAnswered = true;
    });
    await until(async () => (await readStats())['hms']?.devices === 1);
    expect(isAnswered).toBe(false);
    expect((await answer).status).toBe(200);
  });

  it.each([
    ['slow', 1_000],
    ['late', 60_000],
    ['drip', 1_000],
    ['retry-after', 5_000],
    ['huge', 0],
    ['truncated', 0],
    ['partial', 0],
  ])('knows %s, with a delay of %d ms unless it is told', async (kind, delayMs) => {
    expect((await put({ channel: 'hms', kind })).body).toEqual({ channel: 'hms', kind, share: 1, delayMs });
  });

  it('lets the vendor take a message for a part of the devices', async () => {
    await put({ channel: 'hms', kind: 'partial' });
    expect((await push('/h/send', { push: 'p', to: ['a', 'b', 'c'] })).body).toEqual({ ok: true, left: ['b'] });
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({ hms: { devices: 2 } });
  });

  it('counts a message whose answer never arrives whole', async () => {
    await put({ channel: 'hms', kind: 'truncated' });
    await expect(push('/h/send', { push: 'p', to: ['a'] })).rejects.toThrow('terminated');
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({ hms: { calls: 1, devices: 1 } });
  });

  it('is undone for one channel only, when that is named', async () => {
    await put({ channel: 'hms', kind: 'http-5xx' });
    expect((await call('DELETE', '/_simulator/faults?channel=nobody')).status).toBe(400);
    expect((await call('DELETE', '/_simulator/faults?channel=hms')).status).toBe(200);
    expect((await call('GET', '/_simulator/faults')).body).toEqual({ results: [] });
  });

  it('is undone by DELETE, without touching what was counted', async () => {
    await put({ channel: 'hms', kind: 'http-5xx' });
    await push('/h/send', { push: 'p', to: ['a'] });
    expect((await call('DELETE', '/_simulator/faults')).status).toBe(200);
    expect((await push('/h/send', { push: 'p', to: ['a'] })).status).toBe(200);
    expect((await call('GET', '/_simulator/stats')).body).toMatchObject({ hms: { calls: 2 } });
  });

  it.each([
    [{ kind: 'slow' }, 'channel'],
    [{ channel: 'apns', kind: 'slow' }, 'channel'],
    [{ channel: 'hms', kind: 'sulk' }, 'kind'],
    [{ channel: 'hms', kind: 'slow', share: 1.5 }, 'share'],
    [{ channel: 'hms', kind: 'slow', share: 0 }, 'share'],
    [{ channel: 'hms', kind: 'slow', count: 0 }, 'count'],
    [{ channel: 'hms', kind: 'slow', delayMs: 'long' }, 'delayMs'],
    [{ channel: 'hms', kind: 'slow', delay: 5 }, 'delay'],
  ])('refuses %j and names %s', async (fault, path) => {
    const { status, body } = await put(fault);
    expect({ status, code: body['code'], details: body['details'] }).toEqual({
      status: 400,
      code: 400,
      details: [{ path, message: expect.any(String) }],
    });
    expect(body['error']).toContain(path);
  });

  it('refuses a body that is not JSON', async () => {
    const answer = await fetch(`${url}/_simulator/faults`, { method: 'PUT', body: '{' });
    expect(answer.status).toBe(400);
  });
});

describe('/_simulator/strict', () => {
  it('lists the rules of which only one side is known, all of them off', async () => {
    expect((await call('GET', '/_simulator/strict')).body).toEqual({
      hms: [{ name: 'no-text', about: 'refuses text', isOn: false }],
      mi: [{ name: 'no-text', about: 'refuses text', isOn: false }],
      own: [{ name: 'no-text', about: 'refuses text', isOn: false }],
    });
  });

  it('switches rules of one channel on, until everything is cleared', async () => {
    expect(await call('PUT', '/_simulator/strict', { channel: 'hms', rules: ['no-text'] })).toEqual({
      status: 200,
      body: [{ name: 'no-text', about: 'refuses text', isOn: true }],
    });
    const message = { push: 'p', to: ['a'], text: 'hello' };
    expect([await push('/h/send', message), await push('/m/send', message)]).toMatchObject([
      { status: 400 },
      { status: 200 },
    ]);
    await call('DELETE', '/_simulator');
    expect((await push('/h/send', message)).status).toBe(200);
  });

  it.each([
    [{ channel: 'hms', rules: ['sulk'] }, 'rules'],
    [{ channel: 'apns', rules: [] }, 'channel'],
    [{ channel: 'hms' }, 'rules'],
  ])('refuses %j and names %s', async (order, path) => {
    expect(await call('PUT', '/_simulator/strict', order)).toMatchObject({
      status: 400,
      body: { details: [{ path }] },
    });
  });
});

describe('POST /_simulator/receipts', () => {
  const received: { vendor: unknown; body: unknown }[] = [];
  let callback: string;

  beforeAll(async () => {
    const receiver = createServer((req, res) => {
      let body = '';
      req.on('data', (chunk) => (body += chunk));
      req.on('end', () => {
        received.push({ vendor: req.headers['x-vendor'], body: JSON.parse(body) });
        res.writeHead(req.url === '/wrong-key' ? 404 : 200).end();
      });
    });
    callback = await serve(receiver);
  });
  beforeEach(() => received.splice(0));
  const report = (order: object) => call('POST', '/_simulator/receipts', order);

  it('goes to the address in each message', async () => {
    await push('/h/send', { push: 'p1', to: ['a'], callback: `${callback}/right` });
    await push('/h/send', { push: 'p2', to: ['b'], callback: `${callback}/wrong-key` });
    expect((await report({ channel: 'hms', kind: 'delivered' })).body).toEqual({
      sent: 2,
      answers: [200, 404],
      skipped: 0,
    });
    expect(received).toContainEqual({ vendor: '/h/', body: { kind: 'delivered', id: 'm-p1', devices: ['a'] } });
  });

  it('goes to the given address when the message names none', async () => {
    await push('/h/send', { push: 'p1', to: ['a'] });
    expect((await report({ channel: 'hms', kind: 'clicked', url: callback })).body).toMatchObject({ answers: [200] });
  });

  it('answers 0 for a callback that cannot be reached', async () => {
    await push('/h/send', { push: 'p1', to: ['a'], callback: 'http://127.0.0.1:1/' });
    expect((await report({ channel: 'hms', kind: 'unknown' })).body).toEqual({ sent: 1, answers: [0], skipped: 0 });
  });

  it('never leaves this machine', async () => {
    await push('/h/send', { push: 'p1', to: ['a'], callback: 'http://push.example.com/' });
    await push('/h/send', { push: 'p2', to: ['a'], callback });
    expect((await report({ channel: 'hms', kind: 'delivered' })).body).toEqual({ sent: 1, answers: [200], skipped: 1 });
  });

  it('tells of a message what it asks for, and nothing else', async () => {
    await push('/h/send', { push: 'p1', to: ['a'], callback, report: 'clicked' });
    await push('/h/send', { push: 'p2', to: ['a'], callback });
    expect((await report({ channel: 'hms', kind: 'delivered' })).body).toEqual({ sent: 1, answers: [200], skipped: 1 });
    expect((await report({ channel: 'hms', kind: 'clicked' })).body).toMatchObject({ sent: 2, skipped: 0 });
  });

  it('has nothing to send where no message asks for that kind, and an address would not help', async () => {
    await push('/h/send', { push: 'p1', to: ['a'], callback, report: 'clicked' });
    expect(await report({ channel: 'hms', kind: 'delivered', url: callback })).toEqual({
      status: 200,
      body: { sent: 0, answers: [], skipped: 1 },
    });
  });

  it('sends nothing when nothing is held', async () => {
    expect((await report({ channel: 'hms', kind: 'delivered' })).body).toEqual({ sent: 0, answers: [], skipped: 0 });
  });

  it.each([
    [{ channel: 'hms', kind: 'delivered', url: 'http://169.254.169.254/' }, 'url'],
    [{ channel: 'hms', kind: 'delivered', url: 'http://127.0.0.1.example.com/' }, 'url'],
    [{ channel: 'hms', kind: 'delivered', url: 'file:///etc/passwd' }, 'url'],
    [{ channel: 'hms', kind: 'lost' }, 'kind'],
    [{ channel: 'own', kind: 'delivered' }, 'channel'],
    [{ channel: 'apns', kind: 'delivered' }, 'channel'],
  ])('refuses %j and names %s', async (order, path) => {
    expect(await report(order)).toMatchObject({ status: 400, body: { details: [{ path }] } });
  });

  it('asks for an address when no message names one', async () => {
    await push('/h/send', { push: 'p1', to: ['a'] });
    expect(await report({ channel: 'hms', kind: 'delivered' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'url' }] },
    });
  });
});

describe('another path or method under /_simulator', () => {
  it('is a 404 or 405 in JSON', async () => {
    expect(await call('GET', '/_simulator/nothing')).toMatchObject({ status: 404, body: { code: 404 } });
    expect(await call('POST', '/_simulator/stats')).toMatchObject({ status: 405, body: { code: 405 } });
    expect((await fetch(`${url}/_simulator/stats`, { method: 'POST' })).headers.get('allow')).toBe('GET');
  });
});
