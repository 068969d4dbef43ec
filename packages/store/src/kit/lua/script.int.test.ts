import { redisHarness } from '@pushfleet/testing';
import { openRedis, type RedisClient } from '../redis';
import { each, encoderOf, type Call, type Params } from './params';
import { assemble } from './source';

const harness = redisHarness();
let redis: RedisClient;

beforeAll(async () => {
  redis = await openRedis({ url: harness.url, patience: 'fail-fast', onError: () => undefined });
  harness.onClose(() => redis.quit());
});

/** What a script says that stands here. */
async function answerOf(main: string, params: Params, values: Readonly<Record<string, unknown>>): Promise<unknown> {
  const call: Call = { keys: [], args: [] };
  encoderOf(params)(values, call);
  return redis.eval(
    assemble('main', { params, constants: {} }, () => main),
    call.keys.length,
    ...call.keys,
    ...call.args,
  );
}

const key = (name: string): string => `${harness.namespace}:{lua}:${name}`;

test('a script finds every value under its name, however lists stand in lists', async () => {
  const params = {
    words: 'texts',
    own: 'key',
    pushes: each({ id: 'text', errors: each({ codes: 'texts', count: 'number' }), boxes: 'keys', record: 'key' }),
    limit: 'number',
  } as const;
  const main = [
    '-- each of pushes: id, errors, boxes, record.',
    '-- each of errors: codes, count.',
    'local words, own, pushes, limit = ...',
    'return cjson.encode({ words, own, pushes, limit })',
  ].join('\n');
  const pushes = [
    { id: 'p1', errors: [{ codes: ['a', 'b'], count: 2 }], boxes: [key('b1'), key('b2')], record: key('r1') },
    { id: 'p2', errors: [{ codes: ['c'], count: 0.5 }], boxes: [key('b3')], record: key('r2') },
  ];
  const values = { words: ['x', 'y'], own: key('own'), pushes, limit: 3 };
  expect(JSON.parse((await answerOf(main, params, values)) as string)).toEqual([
    values.words,
    values.own,
    pushes,
    values.limit,
  ]);
});

test('a list may be longer than what the stack of Lua holds', async () => {
  const words = Array.from({ length: 20_000 }, (_, i) => i);
  const main = 'local words = ...\nreturn { #words, words[20000] }';
  expect(await answerOf(main, { words: 'texts' }, { words })).toEqual([20_000, '19999']);
});
