import { outcomeStream } from './outcome-stream';

const at = (frames: number) => ({ pushId: '0123456789abcd00', frames, rows: 0, lines: 0 });

it('says how to go on from the page that could not be read', async () => {
  const row = { objectId: 'a' };
  const { body, rest } = outcomeStream({
    account: 'app',
    first: { results: [row, { count: 7 }], next: at(1), isComplete: true },
    read: async ({ frames }) => {
      if (frames === 2) throw new Error('Redis is away');
      return { results: [row], next: at(2), isComplete: true };
    },
  });
  expect([body, await rest?.next()]).toEqual(['{"objectId":"a"}\n{"count":7}\n', '{"objectId":"a"}\n']);
  await expect(rest?.next()).rejects.toThrow('away');
  const last = rest?.brokenOff({ status: 503, body: '{"code":503,"error":"away"}' }) ?? '';
  const { cursor, ...said } = JSON.parse(last) as { cursor: string };
  expect(said).toEqual({ complete: false, devices: 9, code: 503, error: 'away' });
  expect(JSON.parse(Buffer.from(cursor, 'base64url').toString())).toEqual(['0123456789abcd00', 2, 0, 0]);
});
