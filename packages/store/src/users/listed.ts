import type { Readable } from '../kit/damaged-record';
import type { RedisClient } from '../kit/redis';
import { addressOf, mastersOf } from '../kit/redis-settings';

/** A page of what has no order: the end is where no cursor is. */
export interface Listed<T> extends Readable<T> {
  readonly cursor?: string;
}

const SCAN_COUNT = 1000;
/** Keys that one page looks at: others of the fleet stand between those that it is about. */
const MOST_LOOKED_AT = 200_000;
const ENOUGH = 100;

/** A node, and where the scan of it goes on. */
const CURSOR = /^(\d{1,4})\.(\d{1,20})$/;

/** Whether a page may begin there. */
export const isListCursor = (text: string): boolean => CURSOR.test(text);

/** What stands in the braces of the keys like `pattern`, which ends with them; what is there all the while is told once at least. */
export async function ownersLike(redis: RedisClient, pattern: string, from = '0.0'): Promise<Listed<string>> {
  // Each process learns the nodes in an order of its own, and a cursor goes to any.
  const masters = [...mastersOf(redis)].sort((a, b) => (addressOf(a) < addressOf(b) ? -1 : 1));
  const owner = pattern.indexOf('*');
  const owners: string[] = [];
  let [node, cursor] = placeOf(from);
  for (let looked = 0; looked < MOST_LOOKED_AT && owners.length < ENOUGH; looked += SCAN_COUNT) {
    const master = masters[node];
    if (!master) return { results: owners };
    const [next, names] = await master.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT);
    owners.push(...names.map((name) => name.slice(owner, -1)));
    cursor = next;
    if (next === '0') node += 1;
  }
  return node < masters.length ? { results: owners, cursor: `${node}.${cursor}` } : { results: owners };
}

function placeOf(text: string): [node: number, cursor: string] {
  const [, node = '0', cursor = '0'] = CURSOR.exec(text) ?? [];
  return [Number(node), cursor];
}
