import { isChannelFault, openTokenCache, type ChannelSession } from '@pushfleet/channel-kit';
import { memoryTokenStore, simulatorHttp, type SimulatorHttp } from '@pushfleet/channel-kit/testing';
import { messageFor } from '@pushfleet/domain';
import { LIST_PATH, SAVE_PATH, SEND_PATH } from './endpoints';
import { vivo } from './index';
import { makeSimulator, SIMULATOR_PROFILE } from './simulator';

const NOW = Date.UTC(2026, 0, 15, 4);
const now = (): number => NOW;
const never = new AbortController().signal;

function openRig(): { http: SimulatorHttp; session: ChannelSession; paths: () => string[] } {
  const http = simulatorHttp(makeSimulator({ now }));
  const deps = { http, tokens: openTokenCache(memoryTokenStore(), now), now, origins: vivo.endpoints };
  return { http, session: vivo.open(SIMULATOR_PROFILE, deps), paths: () => http.requests.slice(1).map((r) => r.path) };
}

const batchOf = (registrationIds: readonly string[], batchId = 'batch-1') => ({
  pushId: 'pushidpushidpush',
  batchId,
  message: messageFor({ data: { alert: 'Body' }, sections: {} }, 'vivo'),
  app: { name: 'Demo', overlong: 'truncate' as const, intentHost: 'cn.leancloud.push' },
  registrationIds,
  ttlMs: 3_600_000,
});

it('the pages of a push share one saved payload', async () => {
  const { session, http, paths } = openRig();
  const [first] = await session.send(batchOf(['a', 'b'], 'batch-1'), never);
  const [second] = await session.send({ ...batchOf(['c', 'd'], 'batch-2'), ttlMs: 3_000_000 }, never);
  expect(paths()).toEqual([SAVE_PATH, LIST_PATH, LIST_PATH]);
  expect(second).toEqual(first);
  expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['a', 'b', 'c', 'd']);
});

it.each([10152, 10155])('a payload that the vendor forgot (%d) is saved once more', async (result) => {
  const { paths, deps } = forgetting(openRig().http, { times: 1, result });
  const outcomes = await vivo.open(SIMULATOR_PROFILE, deps).send(batchOf(['a', 'b']), never);
  expect(outcomes.map(({ kind }) => kind)).toEqual(['accepted', 'accepted']);
  expect(paths).toEqual([SAVE_PATH, LIST_PATH, SAVE_PATH, LIST_PATH]);
});

it('a payload that the vendor forgets twice is rejected', async () => {
  const { deps } = forgetting(openRig().http, { times: 2, result: 10155 });
  const call = vivo.open(SIMULATOR_PROFILE, deps).send(batchOf(['a', 'b']), never);
  const error: unknown = await call.catch((reason: unknown) => reason);
  expect(isChannelFault(error) && error.code).toBe('message-rejected');
});

it('a repeated request reaches its devices once', async () => {
  const { session, http, paths } = openRig();
  for (const ids of [['a'], ['a']]) await session.send(batchOf(ids, 'batch-1'), never);
  for (const ids of [
    ['b', 'c'],
    ['b', 'c'],
  ])
    await session.send(batchOf(ids, 'batch-2'), never);
  expect(paths()).toEqual([SEND_PATH, SEND_PATH, SAVE_PATH, LIST_PATH, LIST_PATH]);
  expect(http.sent.flatMap((sent) => sent.registrationIds)).toEqual(['a', 'b', 'c']);
});

it('too many custom pairs are discarded device by device without a call', async () => {
  const { session, http } = openRig();
  const data = { alert: 'Body', ...Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`k${i}`, 'v'])) };
  const batch = { ...batchOf(['a', 'b']), message: messageFor({ data, sections: {} }, 'vivo') };
  const rejected = { kind: 'discarded', reason: 'message-rejected' };
  expect(await session.send(batch, never)).toMatchObject([rejected, rejected]);
  expect(http.requests).toEqual([]);
});

it('an app id may be given as the number that the vendor shows', () => {
  expect(vivo.parseProfile({ ...SIMULATOR_PROFILE, appId: 10004 })).toEqual(SIMULATOR_PROFILE);
});

/** A vendor that does not know the task of the first lists. */
function forgetting(http: SimulatorHttp, { times, result }: { times: number; result: number }) {
  const paths: string[] = [];
  let left = times;
  const request: SimulatorHttp['request'] = (asked) => {
    const { pathname } = new URL(asked.url);
    if (pathname.endsWith('auth')) return http.request(asked);
    paths.push(pathname);
    if (pathname !== LIST_PATH || left === 0) return http.request(asked);
    left -= 1;
    return Promise.resolve({ status: 200, body: JSON.stringify({ result, desc: 'gone' }), retryAfterMs: undefined });
  };
  const tokens = openTokenCache(memoryTokenStore(), now);
  return { paths, deps: { http: { ...http, request }, tokens, now, origins: vivo.endpoints } };
}
