import { randomBytes } from 'node:crypto';
import { formatMacHeader, signRequest } from '@pushfleet/mac-auth';
import { request, type Agent } from 'undici';
import type { BenchFleet } from './bench-fleet';
import { medianOf, timed, type Benchmark, type BenchOptions, type Figures } from './benchmark';
import { startEcho } from './echo-process';

const CONNECTIONS = 64;
/** Each turn is short and compared by itself, so that a machine that becomes slower slows all that is compared. */
const TURNS = 11;
const CLIENT_ID = 'bench';
/** What the clients of each generation ask; the first is what the bare service answers too. */
const PATHS = {
  v2: '/api/v1/user/info',
  profile: '/account/profile/v1',
  basicInfo: '/account/basic-info/v1',
} as const;
type Path = keyof typeof PATHS;
type Target = Path | 'echo';

interface Token {
  readonly access_token: string;
  readonly mac_key: string;
}

/** Signed before the clock starts: what is measured is the service, not its caller. */
function signedHeaders(count: number, token: Token, url: string): readonly string[] {
  const { hostname: host, port, pathname, search } = new URL(url);
  const uri = pathname + search;
  const ts = String(Math.floor(Date.now() / 1000));
  return Array.from({ length: count }, () => {
    const nonce = randomBytes(12).toString('base64');
    const signed = { ts, nonce, method: 'GET', uri, host, port: Number(port) };
    const mac = signRequest(signed, {
      macKey: token.mac_key,
      macAlgorithm: 'hmac-sha-1',
    });
    return formatMacHeader({ id: token.access_token, ts, nonce, mac });
  });
}

async function rate(url: string, headers: readonly string[], http: Agent): Promise<number> {
  const seconds = await timed(headers.length, CONNECTIONS, async (i) => {
    const answer = await request(url, {
      headers: { authorization: headers[i] ?? '' },
      dispatcher: http,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  });
  return headers.length / seconds;
}

async function openUserInfo(fleet: BenchFleet): Promise<{ readonly origin: string; readonly token: Token }> {
  const port = await fleet.freePort();
  const origin = `http://127.0.0.1:${port}`;
  await fleet.processes.run('user-info', {
    USER_INFO_PORT: String(port),
    USER_INFO_PUBLIC_URLS: origin,
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
  return { origin, token: await fleet.admin<Token>('POST', `/users/u-1/tokens/${CLIENT_ID}`, {}) };
}

async function run(fleet: BenchFleet, { size = 20_000, progress }: BenchOptions): Promise<Figures> {
  const echo = await startEcho();
  try {
    const { origin, token } = await openUserInfo(fleet);
    const addressOf = (from: string, path: Path): string => `${from}${PATHS[path]}?client_id=${CLIENT_ID}`;
    const urls = {
      echo: addressOf(echo.url, 'v2'),
      v2: addressOf(origin, 'v2'),
      profile: addressOf(origin, 'profile'),
      basicInfo: addressOf(origin, 'basicInfo'),
    } as const;
    const targets = ['echo', 'v2', 'profile', 'basicInfo'] as const;
    const measure = (target: Target, count: number): Promise<number> =>
      rate(urls[target], signedHeaders(count, token, urls[target]), fleet.http);
    progress('warming up');
    for (const target of targets) await measure(target, 3000);
    progress('baseline and look-ups of each generation, in turns');
    const turns: Record<Target, number>[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      const rates: Record<Target, number> = { echo: 0, v2: 0, profile: 0, basicInfo: 0 };
      for (const target of turn % 2 === 0 ? targets : targets.toReversed())
        rates[target] = await measure(target, Math.ceil((2 * size) / TURNS));
      turns.push(rates);
    }
    const rateOf = (target: Target): number => medianOf(turns.map((rates) => rates[target]));
    const ratioOf = (target: Target, to: Target): number => medianOf(turns.map((rates) => rates[target] / rates[to]));
    return {
      ratio: ratioOf('v2', 'echo'),
      value: rateOf('v2'),
      baseline: rateOf('echo'),
      config: { lookUps: 6 * size, userInfoProcesses: 1, connections: CONNECTIONS },
      details: {
        profile: rateOf('profile'),
        basicInfo: rateOf('basicInfo'),
        profileToV2: ratioOf('profile', 'v2'),
        basicInfoToV2: ratioOf('basicInfo', 'v2'),
      },
    };
  } finally {
    echo.stop();
  }
}

export const userInfo: Benchmark = {
  name: 'user-info',
  measures: 'verified look-ups/s, one process, against an Express GET that returns the same JSON',
  mustReach: 0.6,
  goal: 0.8,
  unit: 'verified look-ups/s',
  workers: [],
  run,
};
