import { SIMULATOR_SECRET, TokenDesk, type SimulatorAnswer } from '@pushfleet/channel-kit/testing';
import { DAY_MS } from '@pushfleet/domain';
import { signOf } from '../token';
import { Refusal, success } from './answers';

const CLOCK_WINDOW_MS = 10 * 60_000;
const OVERLAP_MS = 10 * 60_000;

/** Who may ask for a token, and whose a token is. */
export class Tokens {
  /** Inside its 24 hours an app has one token; after them the old one works for ten more minutes. */
  private readonly desk: TokenDesk;

  constructor(
    private readonly now: () => number,
    nextId: (kind: string) => string,
  ) {
    const nameOf = (): string => nextId('token');
    this.desk = new TokenDesk({ now, lifeMs: DAY_MS, overlapMs: OVERLAP_MS, isReused: true, nameOf });
  }

  authenticate(form: URLSearchParams): SimulatorAnswer {
    const { value, issuedAt } = this.desk.issue(signedBy(form, this.now()));
    return success({ auth_token: value, create_time: issuedAt });
  }

  /** The app that a token was given to. */
  appOf(value: string | undefined): string {
    if (!value) throw new Refusal(29, 'Missing Auth Token');
    const found = this.desk.ownerOf(value);
    if (typeof found === 'string') throw new Refusal(11, 'Invalid AuthToken');
    return found.owner;
  }

  expireAll(): void {
    this.desk.expireAll();
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
