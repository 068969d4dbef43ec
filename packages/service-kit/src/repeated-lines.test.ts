import { createLogger } from './logger';

type Line = Readonly<Record<string, unknown>> & { readonly msg: string };

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function record() {
  const lines: Line[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Line);
  const log = createLogger({ LOG_LEVEL: 'info', LOG_TO: 'stdout' }, 'ingress', { write });
  const told = (): readonly string[] =>
    lines.map(({ msg, more, what, times, lastedMs }) =>
      [
        msg,
        ...(more === undefined ? [] : [`${String(more)} more`]),
        ...(what === undefined ? [] : [what, times, lastedMs]),
      ]
        .map(String)
        .join(' | '),
    );
  return { log, lines, told };
}

const ENDED = 'a failure that was told does not happen any more';
const refused = (port: number): Error =>
  Object.assign(new Error(`connect ECONNREFUSED 127.0.0.1:${port}`), { code: 'ECONNREFUSED' });

it('tells of a failure at once, then once a minute with how often it happened meanwhile, and that it has ended', () => {
  const { log, told } = record();
  for (let times = 0; times < 600; times += 1) {
    log.warn({ err: refused(1) }, 'redis');
    jest.advanceTimersByTime(200);
  }
  expect(told()).toEqual(['redis', 'redis | 299 more']);
  jest.advanceTimersByTime(30_000);
  expect(told().slice(2)).toEqual([`${ENDED} | redis | 600 | 119800`]);
  jest.advanceTimersByTime(60_000);
  expect(told()).toHaveLength(3);
});

it('tells of the next failure at once, however soon it comes, after the end of the one before', () => {
  const { log, told } = record();
  for (const pauseMs of [1000, 15_000, 0]) {
    log.error({ err: refused(1) }, 're-driver failed');
    jest.advanceTimersByTime(pauseMs);
  }
  expect(told()).toEqual(['re-driver failed', `${ENDED} | re-driver failed | 2 | 1000`, 're-driver failed']);
});

it('names at the end what the line named', () => {
  const { log, lines } = record();
  for (let times = 0; times < 2; times += 1)
    log.child({ channel: 'hms' }).warn({ err: refused(1), doing: 'listen' }, 'failed');
  jest.advanceTimersByTime(30_000);
  expect(lines[1]).toMatchObject({ level: 'info', channel: 'hms', doing: 'listen', what: 'failed', times: 2 });
  expect(lines[1]).not.toHaveProperty('err');
});

it('says nothing of the end of what happened once', () => {
  const { log, told } = record();
  log.warn({ err: refused(1) }, 'redis');
  jest.advanceTimersByTime(120_000);
  expect(told()).toEqual(['redis']);
  expect(jest.getTimerCount()).toBe(0);
});

it('leaves out no line that differs in anything', () => {
  const { log, lines } = record();
  const err = new Error('away');
  const caused = (why: string): Error => new Error('a hint cannot be read', { cause: new Error(why) });
  log.warn({ err: refused(1) }, 'redis');
  log.warn({ err: refused(2) }, 'redis');
  log.child({ channel: 'hms' }).warn({ err: refused(2) }, 'redis');
  log.warn({ err: Object.assign(new Error('no'), { code: 'A' }) }, 'redis');
  log.warn({ err: Object.assign(new Error('no'), { code: 'B' }) }, 'redis');
  for (const jobId of ['a', 'b']) log.error({ err, jobId }, 'job failed');
  for (const job of ['a', 'b']) log.warn({ err: new Error(`could not renew lock for job ${job}`) }, 'redis');
  for (const why of ['one', 'other']) log.warn({ err: caused(why) }, 'hint');
  for (const text of ['one', 'other']) log.warn({ err: text }, 'thrown');
  expect(lines).toHaveLength(13);
});

it('leaves out no line without an error', () => {
  const { log, lines } = record();
  for (let times = 0; times < 3; times += 1) {
    log.warn({ app: 'chess' }, 'made room');
    log.warn('made room');
    log.info({ app: 'chess' }, 'sent %s', 'it');
  }
  expect(lines).toHaveLength(9);
});

it.each([
  [
    'script',
    (n: number) =>
      `NOREPLICAS Not enough good replicas to write. script: ${String(n).repeat(40)}, on @user_script:${n}.`,
  ],
  ['slot', (n: number) => `Too many Cluster redirections. Last error: ReplyError: MOVED ${n} 127.0.0.1:7000`],
])('takes what Redis refuses for the same reason for one failure, whichever %s it names', (_where, text) => {
  const { log, lines } = record();
  for (let n = 1; n < 9; n += 1) log.warn({ err: new Error(text(n)) }, 'requests are refused');
  expect(lines).toHaveLength(1);
});

it('keeps 500 kinds, and says of one that has to go how often it happened', () => {
  const { log, told } = record();
  for (let times = 0; times < 3; times += 1) log.warn({ err: refused(0) }, 'redis');
  for (let port = 1; port <= 500; port += 1) log.warn({ err: refused(port) }, 'redis');
  expect(told().filter((line) => line !== 'redis')).toEqual([
    'a failure that was told is counted anew | redis | 3 | 0',
  ]);
  log.warn({ err: refused(0) }, 'redis');
  expect(told().filter((line) => line === 'redis')).toHaveLength(502);
});
