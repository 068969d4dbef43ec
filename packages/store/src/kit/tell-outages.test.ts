import { tellOutages } from './tell-outages';

const refused = (port: number): Error => {
  const message = `connect ECONNREFUSED 127.0.0.1:${port}`;
  return Object.assign(new Error(message), { code: 'ECONNREFUSED' });
};

function told() {
  const lines: string[] = [];
  let now = 0;
  const write = ({ err, at, more }: { err?: Error; at?: string; more?: number }, message: string): void =>
    void lines.push([message, err?.message ?? at, ...(more === undefined ? [] : [`${more} more`])].join(' | '));
  const outages = tellOutages({ warn: write, info: write }, () => now);
  return { lines, outages, after: (ms: number) => void (now += ms) };
}

it('tells of an outage at once, then once a minute with how often it failed meanwhile', () => {
  const { lines, outages, after } = told();
  for (let times = 0; times < 600; times += 1) {
    outages.onError(refused(1));
    after(200);
  }
  expect(lines).toEqual([
    'redis | connect ECONNREFUSED 127.0.0.1:1',
    'redis | connect ECONNREFUSED 127.0.0.1:1 | 299 more',
  ]);
});

it('tells of each address and of each way to fail', () => {
  const { lines, outages } = told();
  const full = (sha: string) =>
    Object.assign(new Error(`MISCONF Errors writing to the AOF file: No space left on device script: ${sha}`), {
      name: 'ReplyError',
    });
  for (const error of [refused(1), refused(2), full('a'), full('b'), refused(2)]) outages.onError(error);
  expect(lines).toEqual([
    'redis | connect ECONNREFUSED 127.0.0.1:1',
    'redis | connect ECONNREFUSED 127.0.0.1:2',
    `redis | ${full('a').message}`,
  ]);
});

it('tells of the next outage at once, however soon it comes', () => {
  const { lines, outages, after } = told();
  outages.onError(refused(1));
  after(11_000);
  outages.onError(refused(1));
  expect(lines).toHaveLength(2);
});

it('leaves out nothing that is no outage', () => {
  const { lines, outages } = told();
  for (const job of ['a', 'b']) outages.onError(new Error(`could not renew lock for job ${job}`));
  expect(lines).toHaveLength(2);
});

it('says when Redis answers again and which one, once for each outage', () => {
  const { lines, outages } = told();
  outages.onReady('127.0.0.1:1');
  outages.onError(refused(1));
  outages.onReady('127.0.0.1:2');
  outages.onReady('127.0.0.1:2');
  expect(lines.slice(1)).toEqual(['Redis answers again | 127.0.0.1:2']);
});
