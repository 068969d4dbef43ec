import { openRedis } from '@pushfleet/store';
import { startRedisProcess } from '@pushfleet/testing';
import { raise } from './bench-fleet';
import { aRow, plainRate, usedMemory } from './import';

it('the baseline leaves nothing in the memory that the import is measured by', async () => {
  const server = await startRedisProcess();
  const redis = await openRedis({ url: server.url, patience: 'wait', onError: raise });
  try {
    const rows = Array.from({ length: 50_000 }, aRow);
    await plainRate({ redis, rows: rows.slice(0, 1000) });
    const before = await usedMemory(redis);
    await plainRate({ redis, rows });
    expect((await usedMemory(redis)) - before).toBeLessThan(2_000_000);
  } finally {
    redis.disconnect();
    await server.close();
  }
});
