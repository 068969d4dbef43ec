import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatMacHeader, isMacAlgorithm, signRequest } from './sign';

/** What the login gives to a client, in the spelling of the wire (User Information API, MAC token). */
export interface MacToken {
  readonly kid: string;
  readonly access_token: string;
  readonly token_type: string;
  readonly mac_key: string;
  readonly mac_algorithm: string;
  /** Seconds as text; "0": the token does not expire. */
  readonly expire_in: string;
}

export interface MacClientOptions {
  readonly token: Pick<MacToken, 'access_token' | 'mac_key' | 'mac_algorithm'>;
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  readonly nonce?: () => string;
  readonly delay?: (ms: number) => Promise<unknown>;
}

export interface MacAnswer {
  readonly status: number;
  /** `undefined` when the body is not JSON. */
  readonly body: unknown;
}

export interface MacClient {
  /** Rejects only when there is no answer; an error of the service is an answer. */
  get(url: string | URL, options?: { readonly signal?: AbortSignal }): Promise<MacAnswer>;
}

/** User Information API, Limits: an error of the server is tried at most three times. */
const MAX_ATTEMPTS = 3;
const FIRST_BACK_OFF_MS = 500;

/**
 * Signs and sends GET requests with one token. After `invalid_time` it takes the server's time from `now` and repeats
 * the request at once, a single time; after `server_error` or any 5xx it waits, twice as long each time. All in all
 * a call sends at most three requests. Throws `TypeError` for a token whose `mac_algorithm` is unknown.
 */
export function openMacClient({ token, ...options }: MacClientOptions): MacClient {
  const { now = Date.now, delay = sleep, nonce = () => randomBytes(16).toString('base64'), ...rest } = options;
  const send = rest.fetch ?? fetch;
  if (!isMacAlgorithm(token.mac_algorithm)) throw new TypeError('mac_algorithm is neither hmac-sha-1 nor hmac-sha-256');
  const secret = { macKey: token.mac_key, macAlgorithm: token.mac_algorithm };
  let offsetMs = 0;

  const headerFor = ({ protocol, hostname, port, pathname, search }: URL): string => {
    const signed = {
      ts: String(Math.floor((now() + offsetMs) / 1000)),
      nonce: nonce(),
      method: 'GET',
      uri: pathname + search,
      host: hostname,
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    };
    return formatMacHeader({ ...signed, id: token.access_token, mac: signRequest(signed, secret) });
  };
  const attempt = async (url: URL, signal: AbortSignal | undefined): Promise<MacAnswer> => {
    const headers = { authorization: headerFor(url) };
    const response = await send(url, { headers, redirect: 'error', ...(signal ? { signal } : {}) });
    return { status: response.status, body: jsonOf(await response.text()) };
  };

  return {
    async get(address, { signal } = {}) {
      const url = new URL(address);
      let isCorrected = false;
      for (let attempts = 1; ; attempts += 1) {
        const answer = await attempt(url, signal);
        if (attempts === MAX_ATTEMPTS) return answer;
        if (isServerFault(answer)) {
          await delay(FIRST_BACK_OFF_MS * 2 ** (attempts - 1));
          continue;
        }
        const serverTimeMs = isCorrected ? undefined : serverTimeOf(answer);
        if (serverTimeMs === undefined) return answer;
        offsetMs = serverTimeMs - now();
        isCorrected = true;
      }
    },
  };
}

const isServerFault = ({ status, body }: MacAnswer): boolean => status >= 500 || errorOf(body) === 'server_error';

/** What to set the clock by; a `now` of 0 says nothing. */
function serverTimeOf({ body }: MacAnswer): number | undefined {
  const now = errorOf(body) === 'invalid_time' ? fieldOf(body, 'now') : undefined;
  return typeof now === 'number' && now > 0 ? now * 1000 : undefined;
}

/** The error stands in the envelope's `data`, or at the top. */
const errorOf = (body: unknown): unknown => fieldOf(body, 'error') ?? fieldOf(fieldOf(body, 'data'), 'error');

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
