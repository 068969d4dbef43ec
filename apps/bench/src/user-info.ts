import { randomBytes } from 'node:crypto';
import { formatMacHeader, signRequest } from '@pushfleet/mac-auth';
import { request, type Agent } from 'undici';
import { openBenchFleet, REDIS_CONFIG } from './bench-fleet';
import { timed, type Benchmark, type BenchOptions, type Result } from './benchmark';
import { startEcho } from './echo-process';

const CONNECTIONS = 64;
const CLIENT_ID = 'bench';
const URI = `/api/v1/user/info?client_id=${CLIENT_ID}`;

interface Token {
  readonly access_token: string;
  readonly mac_key: string;
}

/** Signed before the clock starts: what is measured is the service, not its caller. */
function signedHeaders(count: number, token: Token, origin: string): readonly string[] {
  const { hostname: host, port } = new URL(origin);
  const ts = String(Math.floor(Date.now() / 1000));
  return Array.from({ length: count }, () => {
    const nonce = randomBytes(12).toString('base64');
    const signed = { ts, nonce, method: 'GET', uri: URI, host, port: Number(port) };
    const mac = signRequest(signed, { macKey: token.mac_key, macAlgorithm: 'hmac-sha-1' });
    return formatMacHeader({ id: token.access_token, ts, nonce, mac });
  });
}

async function rate(origin: string, headers: readonly string[], http: Agent): Promise<number> {
  const seconds = await timed(headers.length, CONNECTIONS, async (i) => {
    const answer = await request(`${origin}${URI}`, { headers: { authorization: headers[i] ?? '' }, dispatcher: http });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  });
  return headers.length / seconds;
}

async function run({ size = 20_000, env, progress }: BenchOptions): Promise<Result> {
  const echo = await startEcho();
  const fleet = await openBenchFleet([], env);
  try {
    const port = await fleet.freePort();
    const origin = `http://127.0.0.1:${port}`;
    await fleet.processes.run('user-info', {
      ...{ USER_INFO_PORT: String(port), USER_INFO_PUBLIC_URLS: origin },
      // One token signs everything here.
      MAC_REQUESTS_PER_TOKEN: '0',
    });
    await fleet.admin('PUT', '/users/u-1', {
      name: 'Name',
      avatar: 'https://example.com/a.png',
      gender: 0,
      is_guest: false,
    });
    await fleet.admin('PUT', `/clients/${CLIENT_ID}`, { name: 'Bench' });
    const token = await fleet.admin<Token>('POST', `/users/u-1/tokens/${CLIENT_ID}`, {});
    const headers = (): readonly string[] => signedHeaders(size, token, origin);
    progress('warming up');
    await rate(origin, headers().slice(0, 3000), fleet.http);
    await rate(echo.url, headers().slice(0, 3000), fleet.http);
    progress('baseline and look-ups, twice in turn');
    const rates: number[] = [];
    for (const target of [echo.url, origin, echo.url, origin]) rates.push(await rate(target, headers(), fleet.http));
    const [before = 0, first = 0, after = 0, second = 0] = rates;
    const value = (first + second) / 2;
    const baseline = (before + after) / 2;
    const config = { lookUps: 2 * size, userInfoProcesses: 1, connections: CONNECTIONS, redis: REDIS_CONFIG };
    return { name: 'user-info', ratio: value / baseline, value, unit: 'verified look-ups/s', baseline, config };
  } finally {
    echo.stop();
    await fleet.stop();
  }
}

export const userInfo: Benchmark = {
  name: 'user-info',
  measures: 'verified look-ups/s, one process, against an Express GET that returns the same JSON',
  mustReach: 0.6,
  goal: 0.8,
  run,
};
