import { SIMULATOR_SECRET, type SimulatorAnswer } from '@pushfleet/channel-kit/testing';
import { DAY_MS } from '@pushfleet/domain';
import { signOf } from '../token';
import { Refusal, success } from './answers';

const CLOCK_WINDOW_MS = 10 * 60_000;
const OVERLAP_MS = 10 * 60_000;

interface Token {
  readonly appKey: string;
  readonly value: string;
  readonly createdAt: number;
}

/** The access tokens that the vendor gave. */
export class Tokens {
  private readonly byApp = new Map<string, Token>();
  private readonly byValue = new Map<string, Token>();

  constructor(
    private readonly now: () => number,
    private readonly nextId: (kind: string) => string,
  ) {}

  authenticate(form: URLSearchParams): SimulatorAnswer {
    const appKey = signedBy(form, this.now());
    const token = this.current(appKey);
    return success({ auth_token: token.value, create_time: token.createdAt });
  }

  /** The app that a token was given to. */
  appOf(value: string | undefined): string {
    if (!value) throw new Refusal(29, 'Missing Auth Token');
    const token = this.byValue.get(value);
    if (!token || this.now() > token.createdAt + DAY_MS + OVERLAP_MS) throw new Refusal(11, 'Invalid AuthToken');
    return token.appKey;
  }

  forget(): void {
    this.byApp.clear();
    this.byValue.clear();
  }

  /** Inside its 24 hours an app has one token; after them the old one works for ten more minutes. */
  private current(appKey: string): Token {
    const known = this.byApp.get(appKey);
    if (known && this.now() < known.createdAt + DAY_MS) return known;
    const token = { appKey, value: this.nextId('token'), createdAt: this.now() };
    this.byApp.set(appKey, token);
    this.byValue.set(token.value, token);
    return token;
  }
}

function signedBy(form: URLSearchParams, now: number): string {
  const [appKey = '', sign, timestamp = ''] = ['app_key', 'sign', 'timestamp'].map((name) => form.get(name) ?? '');
  if (!appKey) throw new Refusal(15, 'Missing App Key');
  if (!sign) throw new Refusal(17, 'Missing Signature');
  if (!timestamp) throw new Refusal(18, 'Missing Timestamp');
  const skewMs = Math.abs(now - Number(timestamp));
  if (!/^\d{13}$/.test(timestamp) || skewMs > CLOCK_WINDOW_MS) throw new Refusal(19, 'Invalid Timestamp');
  if (sign !== signOf({ appKey, timestamp: Number(timestamp), masterSecret: SIMULATOR_SECRET }))
    throw new Refusal(16, 'Invalid Signature');
  return appKey;
}
