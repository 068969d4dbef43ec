import { Refusal } from '@pushfleet/http-edge';

const BUSY_SECONDS = 5;

/** Who asks again while the change of a person waits is refused: one person alone fills no queue of passwords. */
export function oneAtATime(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const busy = new Set<string>();
  return async (name, work) => {
    if (busy.has(name)) throw new Refusal('too-many-calls', 'the password is being changed; try again', BUSY_SECONDS);
    busy.add(name);
    return work().finally(() => busy.delete(name));
  };
}
