import { openHealth } from './health';

describe('readiness', () => {
  it('is refused until ready and again once stopping', async () => {
    const stopping = new AbortController();
    const health = openHealth({ stopping: stopping.signal });
    expect(await health.readiness()).toEqual({ isOk: false, failures: { service: 'starting' } });
    health.ready();
    expect((await health.readiness()).isOk).toBe(true);
    stopping.abort();
    expect(await health.readiness()).toEqual({ isOk: false, failures: { service: 'stopping' } });
  });

  it('names each failing check with its reason', async () => {
    const health = openHealth();
    health.ready();
    health.addReadiness('redis', () => Promise.reject(new Error('connection refused')));
    health.addReadiness('clock', () => true);
    expect(await health.readiness()).toEqual({ isOk: false, failures: { redis: 'connection refused' } });
  });

  it('does not wait for a check that never answers', async () => {
    const health = openHealth({ checkTimeoutMs: 10 });
    health.ready();
    health.addReadiness('redis', () => new Promise(() => undefined));
    expect((await health.readiness()).failures).toEqual({ redis: 'no answer within 10 ms' });
  });
});

describe('notes', () => {
  it('are told of a process that is ready, as long as there are any', async () => {
    const health = openHealth();
    health.ready();
    const told: string[] = [];
    health.addNote('format', () => Promise.resolve(told[0]));
    expect(await health.readiness()).toEqual({ isOk: true, failures: {} });
    told.push('beside another');
    expect(await health.readiness()).toEqual({ isOk: true, failures: {}, notes: { format: 'beside another' } });
  });

  it('make nobody unready, not even when they cannot be had', async () => {
    const health = openHealth();
    health.ready();
    health.addNote('format', () => Promise.reject(new Error('connection refused')));
    expect(await health.readiness()).toMatchObject({ isOk: true, notes: { format: 'connection refused' } });
  });
});

describe('liveness', () => {
  it('holds while starting and while stopping', async () => {
    const health = openHealth({ stopping: AbortSignal.abort() });
    expect((await health.liveness()).isOk).toBe(true);
  });

  it('fails with the reason of a check that throws', async () => {
    const health = openHealth();
    health.addLiveness('worker', () => {
      throw new Error('no progress for 120 s');
    });
    expect(await health.liveness()).toEqual({ isOk: false, failures: { worker: 'no progress for 120 s' } });
  });
});
