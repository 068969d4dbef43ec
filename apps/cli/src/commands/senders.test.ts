import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { OtherAnswer, startPushApi, type PushApi } from '@pushfleet/testing';
import { runCli, type CliInput, type CliRun } from '../testing/run-cli';

let api: PushApi;
beforeEach(async () => (api = await startPushApi()));
afterEach(() => api.stop());

const sender = (argv: readonly string[], input: CliInput = {}): Promise<CliRun> => {
  const app = { PUSHFLEET_APP_ID: 'app', PUSHFLEET_MASTER_KEY: 'master-key' };
  return runCli(['pushes', ...argv], { ...input, env: { PUSHFLEET_INGRESS_URL: api.url, ...app, ...input.env } });
};

const lines = (): readonly string[] => api.asked.map(({ line }) => line);
const AT = '2026-11-21T08:30:00.000Z';
const CHANNEL = {
  ...{ matched: 3000, sendable: 2990, discarded: { 'profile-missing': 10 }, calls: 3, bytes: 200 },
  ...{ truncated: 0, estimatedSeconds: 1.5 },
};
const PREFLIGHT = { preflight: true, devices: 3000, exact: true, channels: { hms: CHANNEL }, warnings: [] };
const SENT = { objectId: 'p1', createdAt: AT };

function record(status: string, accepted: number): object {
  const books = {
    expected: 9,
    matched: 9,
    accepted,
    delivered: 0,
    discarded: {},
    failed: {},
    outstanding: 9 - accepted,
  };
  return {
    ...{ objectId: 'p1', notificationId: 'p1', status, createdAt: AT, devices: 9, successes: accepted },
    ...{ channels: { hms: books }, errors: [] },
  };
}

describe('pushes preflight', () => {
  it('shows what each channel would do, and the index that would help', async () => {
    api.answers['POST /push/preflight'] = [{ ...PREFLIGHT, exact: false, margin: 40, index: ['city'] }];
    const { code, out } = await sender(['preflight', '--text', 'Hi', '--where', '{"city": "Paris"}']);
    expect(code).toBe(0);
    expect(out).toMatch(/hms +3000 +2990 +profile-missing 10 +3/);
    expect(out).toMatch(/devices: 3,000, by a sample: up to 40 more or fewer\n.*of: city/);
    expect(api.asked).toEqual([
      {
        ...{ line: 'POST /push/preflight', key: 'master-key,master' },
        body: { data: { alert: 'Hi' }, where: { city: 'Paris' } },
      },
    ]);
  });

  it('asks again for a walk that takes long', async () => {
    api.answers['POST /push/preflight?exact=1'] = [{ preflight: true, path: '/1.1/push/preflight/0b1c' }];
    api.answers['GET /push/preflight/0b1c'] = [PREFLIGHT];
    const { code, out } = await sender(['preflight', '--text', 'Hi', '--exact', '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, PREFLIGHT]);
  });

  it('waits for a push API that has no room for another one', async () => {
    const full = new OtherAnswer(503, '{"error": "too many walks"}', { 'retry-after': '1' });
    api.answers['POST /push/preflight'] = [full, PREFLIGHT];
    const { code, out, err } = await sender(['preflight', '--text', 'Hi', '--json']);
    expect([code, JSON.parse(out)]).toEqual([0, PREFLIGHT]);
    expect(err).toContain('waiting: too many walks (HTTP 503)');
    expect(lines()).toEqual(['POST /push/preflight', 'POST /push/preflight']);
  });

  it('ends with 1 where the API does not know it, and with nothing sent', async () => {
    expect(await sender(['preflight', '--text', 'Hi'])).toMatchObject({ code: 1, err: expect.stringContaining('404') });
    expect(lines()).toEqual(['POST /push/preflight']);
  });
});

describe('pushes send', () => {
  beforeEach(() => {
    api.answers['POST /push/preflight'] = [PREFLIGHT];
    api.answers['POST /push'] = [SENT];
  });

  it('sends at once where nobody sits at a terminal, with what the file and the options say', async () => {
    const stdin = JSON.stringify({ data: { title: 'T', alert: 'old' }, prod: 'dev', where: { a: 1 } });
    const options = ['--text', 'new', '--channels', 'a, b', '--expires-in', '2h', '--req-id', 'r1'];
    const { code, out } = await sender(['send', '--data', '-', ...options], { stdin });
    expect([code, out]).toEqual([0, 'sent p1\n']);
    expect(api.asked.map(({ line, body }) => [line, body])).toEqual([
      [
        'POST /push',
        {
          ...{ data: { title: 'T', alert: 'new' }, prod: 'dev', where: { a: 1 }, channels: ['a', 'b'] },
          ...{ expiration_interval: 7200, req_id: 'r1' },
        },
      ],
    ]);
  });

  it.each(['y', 'yes'])('at a terminal it shows what it reaches, and sends when the answer is %s', async (answer) => {
    const { code, err } = await sender(['send', '--text', 'Hi'], { answer });
    expect([code, lines()]).toEqual([0, ['POST /push/preflight', 'POST /push']]);
    expect(err).toMatch(/hms +3000[^]*send to 3,000 devices\? \[y\/N\]/);
  });

  it.each(['', 'no', 'n'])('sends nothing when the answer is "%s"', async (answer) => {
    const { code, err } = await sender(['send', '--text', 'Hi'], { answer });
    expect([code, lines()]).toEqual([130, ['POST /push/preflight']]);
    expect(err).toContain('nothing was sent');
  });

  it('does not ask about one device, nor with --yes', async () => {
    api.answers['POST /push/preflight'] = [{ ...PREFLIGHT, devices: 1 }];
    expect((await sender(['send', '--text', 'Hi'], { answer: '' })).code).toBe(0);
    expect((await sender(['send', '--text', 'Hi', '--yes'], { answer: '' })).code).toBe(0);
    expect(lines()).toEqual(['POST /push/preflight', 'POST /push', 'POST /push']);
  });

  it('names the request so that it can be made again when nobody knows whether it arrived', async () => {
    await api.stop();
    const { code, err } = await sender(['send', '--text', 'Hi']);
    expect(code).toBe(1);
    expect(err).toMatch(
      /cannot reach .*set PUSHFLEET_INGRESS_URL[^]*--req-id [0-9a-f]{16} within five minutes does not send it twice/,
    );
    api = await startPushApi();
  });

  it.each([
    [502, '{"error": "a process went"}', true],
    [200, '<html>', true],
    [200, '{}', true],
    [429, '{"error": "too many"}', false],
    [401, '{"error": "who?"}', false],
    [400, '{"error": "no", "details": [{"path": "prod", "message": "must be dev or prod"}]}', false],
  ])('after %i with %s it may have been sent: %s', async (status, text, mayBeSent) => {
    api.answers['POST /push'] = [new OtherAnswer(status, text)];
    const { code, err } = await sender(['send', '--text', 'Hi', '--req-id', 'r1']);
    expect([code, err.includes('with --req-id r1 within five minutes')]).toEqual([1, mayBeSent]);
  });

  it('can watch what it sent', async () => {
    api.answers['GET /notifications/p1'] = [record('in-queue', 4), record('done', 9)];
    const { code, err, out } = await sender(['send', '--text', 'Hi', '--watch']);
    expect([code, err]).toEqual([0, 'sent p1\nhms 4 of 9\nhms 9 of 9\n']);
    expect(out).toMatch(/status: +done/);
  });
});

describe('pushes watch', () => {
  it('is over when it is interrupted', async () => {
    api.answers['GET /notifications/p1'] = [record('in-queue', 4)];
    const { code, err } = await sender(['watch', 'p1'], { interrupted: Promise.resolve() });
    expect([code, err]).toEqual([130, expect.stringContaining('push p1 goes on')]);
  });

  it('waits for a push API that is asked too much, and no longer than it was told to', async () => {
    const refused = new OtherAnswer(429, '{"error": "too many"}');
    api.answers['GET /notifications/p1'] = [refused, record('done', 9)];
    expect(await sender(['watch', 'p1'])).toMatchObject({ code: 0, out: expect.stringMatching(/status: +done/) });
    api.answers['GET /notifications/p1'] = [refused, record('done', 9)];
    const { code, err } = await sender(['watch', 'p1', '--for', '500ms']);
    expect([code, err]).toEqual([1, expect.stringContaining('too many (HTTP 429)')]);
  });

  it('is over when its time is', async () => {
    api.answers['GET /notifications/p1'] = [record('in-queue', 4)];
    expect(await sender(['watch', 'p1', '--for', '1ms'])).toMatchObject({
      ...{ code: 1, err: expect.stringContaining('was not done by then; its status is in-queue') },
    });
  });

  it('ends with 1 for a push that is not there', async () => {
    api.answers['GET /notifications/p1'] = [{}];
    expect(await sender(['watch', 'p1'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no push p1'),
    });
  });
});

describe('pushes cancel', () => {
  it('tells what was sent before', async () => {
    api.answers['DELETE /notifications/p1'] = [{ cancelled: 5, sent: 4, outstanding: 1 }];
    expect(await sender(['cancel', 'p1'])).toMatchObject({
      ...{ code: 0, out: 'cancelled for 5 devices, after 4 were accepted; 1 have no verdict yet\n' },
    });
    api.answers['DELETE /notifications/p1'] = [{}];
    expect(await sender(['cancel', 'p1'])).toMatchObject({ code: 1, err: expect.stringContaining('no push p1') });
  });
});

describe('pushes devices', () => {
  const PAGES = ['', '&cursor=next'].map((cursor) => `GET /notifications/p1/devices?limit=1000${cursor}`);
  const rows = [1, 2, 3].map((n) => ({ objectId: `d${n}`, channel: 'hms', outcome: 'accepted', at: AT }));
  const jsonLines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const answerWith = (complete: boolean): void => {
    api.answers[PAGES[0] ?? ''] = [{ results: rows.slice(0, 2), cursor: 'next', complete }];
    api.answers[PAGES[1] ?? ''] = [
      new OtherAnswer(503, '{"error": "away"}'),
      { results: rows.slice(2), cursor: null, complete },
    ];
  };

  it('writes a line for each, page by page, and waits for an API that is away in between', async () => {
    answerWith(true);
    const { code, out } = await sender(['devices', 'p1']);
    expect([code, out, lines()]).toEqual([0, jsonLines, [PAGES[0], PAGES[1], PAGES[1]]]);
  });

  it('writes a file when it is whole, and ends with 1 where devices are missing', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'devices-')), 'devices.jsonl');
    answerWith(false);
    const run = await sender(['devices', 'p1', '--out', out]);
    expect(run).toMatchObject({ code: 1, out: '3 rows\n', err: expect.stringContaining('not every device') });
    expect(readFileSync(out, 'utf8')).toBe(jsonLines);
    rmSync(dirname(out), { recursive: true });
  });

  it('leaves no file, and ends with 1, when a page is refused', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'devices-')), 'devices.jsonl');
    answerWith(true);
    api.answers[PAGES[1] ?? ''] = [new OtherAnswer(404, '{"error": "no push of this id"}')];
    expect(await sender(['devices', 'p1', '--out', out])).toMatchObject({ code: 1, out: '' });
    expect(readdirSync(dirname(out))).toEqual([]);
    rmSync(dirname(out), { recursive: true });
  });

  it('asks for those that are wanted', async () => {
    api.answers['GET /notifications/p1/devices?outcome=discarded&reason=expired&channel=mi&limit=1000'] = [
      { results: [], cursor: null, complete: true },
    ];
    const options = ['--outcome', 'discarded', '--reason', 'expired', '--channel', 'mi'];
    expect(await sender(['devices', 'p1', ...options])).toMatchObject({ code: 0, out: '' });
  });
});

it('export retired writes a line for each registration since a time', async () => {
  const row = { objectId: 'd1', channel: 'hms', reason: 'registration-gone', at: AT };
  const retired = (complete: boolean) => ({ results: [row], cursor: null, complete });
  api.answers['GET /retired?since=2026-11-01&limit=1000'] = [retired(true), retired(false)];
  const env = { PUSHFLEET_INGRESS_URL: api.url, PUSHFLEET_APP_ID: 'app', PUSHFLEET_MASTER_KEY: 'master-key' };
  const run = () => runCli(['export', 'retired', '--since', '2026-11-01'], { env });
  expect(await run()).toMatchObject({ code: 0, out: `${JSON.stringify(row)}\n` });
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('the oldest are missing') });
});

describe('exit code 2, with nothing asked', () => {
  it.each([
    [['send'], 'there is no message'],
    [['send', '--text', 'x', '--where', '{no'], '--where: is not JSON'],
    [['send', '--text', 'x', '--app-file', '/nowhere.json'], '/nowhere.json: cannot be read'],
    [['send', '--text', 'x', '--expires-in', 'soon'], 'such as 500ms'],
    [['watch'], "missing required argument 'push'"],
  ])('%j', async (argv, words) => {
    expect(await sender(argv)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(words) });
    expect(lines()).toEqual([]);
  });

  it('an app that is not named', async () => {
    const { code, err } = await sender(['watch', 'p1'], { env: { PUSHFLEET_MASTER_KEY: '' } });
    expect([code, err]).toEqual([2, expect.stringContaining('PUSHFLEET_APP_ID and PUSHFLEET_MASTER_KEY')]);
  });
});
