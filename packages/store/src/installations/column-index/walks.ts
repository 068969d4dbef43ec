import { DAY_MS } from '@pushfleet/domain';
import { luaScript, nothing } from '../../kit/lua/script';
import type { IndexParts } from '../channel-index/entries';

/** A push that had to read all installations of an app. */
export interface NotedWalk {
  /** Their indexes would have answered for it. */
  readonly columns: readonly string[];
  readonly devices: number;
  /** Of the last one, in milliseconds since the epoch. */
  readonly at: number;
}

/** Different ones that are kept of an app: whoever pushes chooses the columns. */
const MAX_NOTED = 20;

const note = luaScript('installations/note-walk', {
  params: { walks: 'key', columns: 'text', text: 'text', most: 'number', lifeMs: 'number' },
  answer: nothing,
});

export function noteWalk({ redis, keys }: IndexParts, app: string, { columns, devices, at }: NotedWalk): Promise<void> {
  const text = `${at} ${devices}`;
  const bounds = { most: MAX_NOTED, lifeMs: DAY_MS };
  return note(redis, { walks: keys.walkedColumns(app), columns: columns.join(' '), text, ...bounds });
}

export async function readWalks({ redis, keys }: IndexParts, app: string): Promise<readonly NotedWalk[]> {
  return Object.entries(await redis.hgetall(keys.walkedColumns(app))).map(([columns, text]) => {
    const [at = 0, devices = 0] = text.split(' ').map(Number);
    return { columns: columns.split(' '), devices, at };
  });
}
