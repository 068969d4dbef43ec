import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { openHttpServer } from './http-server';
import { DEFAULT_HTTP_LIMITS } from './http-limits';
import { closeServer, listen, openDoor } from './listen';

const local = { port: 0, host: '127.0.0.1', variable: 'INGRESS_PORT' };

const serveOne = async () => {
  let answer: (res: ServerResponse) => void;
  const arrived = new Promise<ServerResponse>((resolve) => {
    answer = resolve;
  });
  const server = createServer((_req, res) => answer(res));
  const { url } = await listen(server, local);
  return { server, url, arrived };
};

describe('listen', () => {
  it('names BIND_ADDRESS when the address is not of this machine', async () => {
    await expect(listen(createServer(), { ...local, host: '192.0.2.1' })).rejects.toMatchObject({
      lines: ['BIND_ADDRESS: 192.0.2.1 is not an address of this machine'],
    });
  });

  it('gives a reachable URL when it listens on every address', async () => {
    const server = createServer((_req, res) => res.end('here'));
    const { url } = await listen(server, { ...local, host: '0.0.0.0' });
    expect(await (await fetch(url)).text()).toBe('here');
    await closeServer(server);
  });
});

describe('openDoor', () => {
  const serverOf = (listener: RequestListener) =>
    openHttpServer({ limits: DEFAULT_HTTP_LIMITS, onRefused: () => undefined }, listener);

  it('opens the port that the variable holds, and hands its close on', async () => {
    const closes = new Map<string, () => unknown>();
    const parts = {
      onClose: (name: string, close: () => unknown) => void closes.set(name, close),
      ...{ cutoff: new AbortController().signal, listen },
    };
    const server = serverOf((_req, res) => res.end('here'));
    const config = { INGRESS_PORT: 0, BIND_ADDRESS: '127.0.0.1' };
    const url = await openDoor(parts, { server, variable: 'INGRESS_PORT', config });
    expect(await (await fetch(url)).text()).toBe('here');
    expect([...closes.keys()]).toEqual(['http']);
    await closes.get('http')?.();
    expect(server.listening).toBe(false);
  });

  it('names the variable when its port is taken', async () => {
    const { server, url } = await serveOne();
    const config = { INGRESS_PORT: Number(new URL(url).port), BIND_ADDRESS: '127.0.0.1' };
    const parts = { onClose: () => undefined, cutoff: new AbortController().signal, listen };
    const taken = openDoor(parts, { server: serverOf(() => undefined), variable: 'INGRESS_PORT', config });
    await expect(taken).rejects.toMatchObject({
      lines: [`INGRESS_PORT: port ${config.INGRESS_PORT} is already in use`],
    });
    await closeServer(server);
  });
});

describe('closeServer', () => {
  it('lets a request in flight finish and then drops its connection', async () => {
    const { server, url, arrived } = await serveOne();
    const answer = fetch(url);
    const res = await arrived;
    const closed = closeServer(server);
    res.end('done');
    expect(await (await answer).text()).toBe('done');
    await closed;
  });

  it('drops a request that outlives the cutoff', async () => {
    const { server, url, arrived } = await serveOne();
    const cutoff = new AbortController();
    const answer = fetch(url).then(
      () => 'answered',
      () => 'dropped',
    );
    await arrived;
    const closed = closeServer(server, cutoff.signal);
    cutoff.abort();
    await closed;
    expect(await answer).toBe('dropped');
  });
});
