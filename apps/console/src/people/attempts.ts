import { Refusal, type HttpRequest } from '@pushfleet/http-edge';
import { addressOf, networkOf } from '@pushfleet/service-kit';
import type { ConsolePorts } from '../ports';

export interface Presented {
  readonly kind: 'name' | 'answer' | 'link';
  /** Absent: one address alone waits for what it brings. */
  readonly name?: string;
}

type Ports = Pick<ConsolePorts, 'proxyHops' | 'log'> & { readonly store: Pick<ConsolePorts['store'], 'people'> };

const isWrong = (error: unknown): boolean => error instanceof Refusal && error.problem === 'unauthorised';

/** Judges what somebody presents, unless too much of it was wrong before; undefined is wrong. */
type Attempt = <T>(
  req: HttpRequest,
  presented: Presented,
  judge: () => Promise<T | undefined>,
) => Promise<T | undefined>;

export function openAttempts({ proxyHops, log, store }: Ports): Attempt {
  const { brake } = store.people;
  return async (req, { kind, name }, judge) => {
    const network = networkOf(addressOf(req, proxyHops));
    const begun = { kind, who: name ?? network, network };
    const waitMs = await brake.begin(begun);
    if (waitMs > 0) {
      log.warn({ network }, 'too many failed sign-ins');
      const message = 'too many failed sign-ins with this name or from this address; try again later';
      throw new Refusal('too-many-calls', message, Math.ceil(waitMs / 1000));
    }
    const result = await judge().catch(async (error: unknown) => {
      // A provider that is away says nothing about who stands at the door.
      if (!isWrong(error)) await brake.undecided(begun);
      throw error;
    });
    if (result !== undefined) await brake.succeeded(begun);
    return result;
  };
}
