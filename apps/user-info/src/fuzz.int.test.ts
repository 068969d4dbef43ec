import { redisHarness, until } from '@pushfleet/testing';
import { FUZZ_SEED, runFuzz, runRawFuzz } from '@pushfleet/testing/fuzz';
import { ACCOUNT_ROUTES } from './routes/account';
import { aGrant, headerOf, openUserInfo } from './testing/user-info-harness';

const harness = redisHarness();

test(`whatever is sent is answered, as JSON, and never as a fault (seed ${FUZZ_SEED})`, async () => {
  const service = await openUserInfo(harness);
  const [grant, other] = [await aGrant(service.store), await aGrant(service.store)];
  // Where Redis has no processor for seconds it says 500 with a time to wait; how long that takes counts as waiting.
  const witness = async (): Promise<void> => {
    const isRight = async (): Promise<boolean> => (await service.ask(other)).status === 200;
    await until(isRight, { timeoutMs: 60_000 });
  };
  const report = await runFuzz({
    ...{
      url: service.url,
      routes: [...Object.keys(ACCOUNT_ROUTES).map((path) => `GET ${path}`), 'GET /openapi.json', 'GET /:anything'],
    },
    ...{ headers: { authorization: headerOf(grant, service.clock) }, query: ['client_id'] },
    witness,
  });
  expect([...report.statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]));
  expect(report.heapGrowth).toBeLessThan(32 * 1024 * 1024);
  expect(report.peakGrowth).toBeLessThan(512 * 1024 * 1024);
  // That Redis was kept from answering is told, and no defect.
  const isOther = (line: string): boolean => !line.includes('requests are refused for lack of something');
  expect(service.logged.filter(isOther)).toEqual([]);
}, 240_000);

test(`bytes that are hardly HTTP are answered or cut off (seed ${FUZZ_SEED})`, async () => {
  const { url } = await openUserInfo(harness);
  expect((await runRawFuzz(url)).filter((status) => status === 400).length).toBeGreaterThan(10);
});
