import { isStillAhead } from '@pushfleet/domain';
import type { AccountKeys } from '../accounts';
import type { SealingKeys } from './keys';
import type { UserKeys } from '../users';
import type { RedisClient } from '../kit/redis';
import { BRIEF_MS } from '../kit/remember-briefly';
import { firstSealed } from './sealed-places';
import {
  openText,
  partsOf,
  sealingKey,
  sealText,
  UnreadableSecret,
  type SealingKey,
  type SecretBox,
  type SecretContext,
} from '../kit/sealed-text';
import { openSealingState, type SealingPhase, type SealingStateStore, type StoredState } from './sealing-state';

/** The key of this process is not the one that the fleet's secrets are sealed with. A service prints the line and leaves. */
class WrongSecretKey extends UnreadableSecret {
  override readonly name = 'WrongSecretKey';
  readonly code = 'config-invalid';
  readonly lines: readonly string[];

  constructor(wanted: string, held: readonly string[]) {
    const line =
      `SECRET_KEY: opens nothing of this fleet: its secrets are sealed with the key ${wanted}, and this process has ` +
      `${held.join(' and ')}; give it the same SECRET_KEY as the other processes`;
    super(line);
    this.lines = [line];
  }
}

export interface Agreed {
  readonly stored: StoredState;
  readonly phase: SealingPhase;
  /** The key to seal with. */
  readonly key: SealingKey;
}

interface Parts {
  readonly redis: RedisClient;
  readonly keys: AccountKeys & SealingKeys & UserKeys;
  readonly current: string;
  readonly previous: string | undefined;
  readonly now: () => number;
}

/** Attempts to agree while other processes decide at the same time. */
const MAX_RACES = 20;

const racing = (): Error => new Error(`the key to seal with was changed by others ${MAX_RACES} times`);

const sentinelOf = (field: string): SecretContext => ({ kind: 'sentinel', owner: 'fleet', field });

/** The keys of a process, and what the fleet has agreed on, at most a second old. */
export class SecretKeys implements SecretBox {
  readonly current: SealingKey;
  readonly state: SealingStateStore;
  private readonly held: ReadonlyMap<string, SealingKey>;
  private known: { readonly until: number; readonly agreed: Agreed } | undefined;
  private reading: Promise<Agreed> | undefined;
  private readonly used = new Set<string>();

  constructor(private readonly parts: Parts) {
    this.current = sealingKey(parts.current);
    const all = [this.current, ...(parts.previous === undefined ? [] : [sealingKey(parts.previous)])];
    this.held = new Map(all.reverse().map((key) => [key.id, key]));
    this.state = openSealingState(parts);
  }

  holds(keyId: string): boolean {
    return this.held.has(keyId);
  }

  async seal(plain: string, context: SecretContext): Promise<string> {
    for (let race = 0; race < MAX_RACES; race += 1) {
      const { key, phase } = await this.agreed();
      if (this.used.has(key.id) || (await this.state.use(key.id))) {
        this.used.add(key.id);
        return sealText(key, { plain, context: phase === 'old' ? undefined : context });
      }
      this.known = undefined;
    }
    throw racing();
  }

  async open(sealed: string, context: SecretContext): Promise<string> {
    const { keyId, hasContext } = partsOf(sealed);
    const key = this.held.get(keyId);
    if (!key)
      throw new UnreadableSecret('a secret was sealed with another SECRET_KEY; set SECRET_KEY_PREVIOUS to the old key');
    if (!hasContext && (await this.agreed()).phase === 'required')
      throw new UnreadableSecret('a secret is not bound to its place, although all of them were sealed anew');
    return openText(key, sealed, context);
  }

  /** Throws `WrongSecretKey` unless this process has the key that the fleet seals with. */
  agreed(): Promise<Agreed> {
    if (this.known && isStillAhead(this.known.until, this.parts.now(), BRIEF_MS))
      return Promise.resolve(this.known.agreed);
    this.reading ??= this.read().finally(() => (this.reading = undefined));
    return this.reading;
  }

  /** The same without what this process remembers. */
  agreedNow(): Promise<Agreed> {
    this.known = undefined;
    return this.agreed();
  }

  sentinel(phase: SealingPhase, key = this.current): string {
    return sealText(key, { plain: phase, context: sentinelOf(key.id) });
  }

  private async read(): Promise<Agreed> {
    const until = this.parts.now() + BRIEF_MS;
    const agreed = await this.agree();
    this.known = { until, agreed };
    return agreed;
  }

  private async agree(): Promise<Agreed> {
    for (let race = 0; race < MAX_RACES; race += 1) {
      const stored = await this.state.read();
      const agreed = await this.follow(stored);
      if (agreed) return agreed;
    }
    throw racing();
  }

  /** Undefined when another process decided at the same time. */
  private async follow(stored: StoredState | undefined): Promise<Agreed | undefined> {
    const sentinel = stored?.sentinels.get(stored.writes);
    if (!stored || sentinel === undefined) return this.find();
    const key = this.held.get(stored.writes);
    if (!key) return this.takeOver(stored);
    const phase = openText(key, sentinel, sentinelOf(key.id)) as SealingPhase;
    await this.prove(stored, phase);
    return { stored, phase, key };
  }

  /** The current key of this process is proven by its own sentinel, beside the one that the fleet seals with. */
  private async prove({ sentinels }: StoredState, phase: SealingPhase): Promise<void> {
    const { current } = this;
    const mine = sentinels.get(current.id);
    if (mine === undefined) await this.state.addSentinel(current.id, this.sentinel(phase));
    else openText(current, mine, sentinelOf(current.id));
  }

  /** There is no agreement yet: a sealed text decides, if there is one. */
  private async find(): Promise<Agreed | undefined> {
    const first = await firstSealed(this.parts);
    if (!first) return this.decide(this.current, 'required', (...agreement) => this.state.found(...agreement, false));
    const { keyId, hasContext } = partsOf(first.sealed);
    const key = this.held.get(keyId) ?? this.wrong(keyId);
    openText(key, first.sealed, first.context);
    return this.decide(key, hasContext ? 'both' : 'old', (...agreement) => this.state.found(...agreement, true));
  }

  /** The first key to come may be replaced as long as nothing was sealed with it. */
  private async takeOver({ writes, used }: StoredState): Promise<Agreed | undefined> {
    if (used.has(writes)) this.wrong(writes);
    return this.decide(this.current, 'required', (...agreement) => this.state.takeOver(writes, ...agreement));
  }

  private async decide(
    key: SealingKey,
    phase: SealingPhase,
    write: (id: string, sentinel: string) => Promise<boolean>,
  ): Promise<Agreed | undefined> {
    const sentinel = this.sentinel(phase, key);
    if (!(await write(key.id, sentinel))) return undefined;
    const sentinels = new Map([[key.id, sentinel]]);
    const noReseal = { reseal: undefined, last: undefined, damaged: [] };
    return { phase, key, stored: { writes: key.id, sentinels, used: new Set(), ...noReseal } };
  }

  private wrong(keyId: string): never {
    throw new WrongSecretKey(keyId, [...this.held.keys()]);
  }
}

/** For a process that was given no key. */
export const withoutKey = (): Promise<never> =>
  Promise.reject(new Error('this process has no SECRET_KEY: it neither seals nor opens anything'));

export const NO_SECRETS: SecretBox = { seal: withoutKey, open: withoutKey };
