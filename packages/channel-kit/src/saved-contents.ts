import { createHash } from 'node:crypto';
import { writeJson, type JsonObject } from '@pushfleet/domain';

/** Ids under which a vendor keeps the contents of messages, shared by the pages of a push. */
export interface SavedContents {
  /** The id for a content, saved by the first who asks. */
  get(key: string, save: () => Promise<string>): Promise<string>;
  /** Forgets an id that the vendor no longer knows; a newer one stays. */
  drop(key: string, id: string): Promise<void>;
}

export function openSavedContents(limit: number): SavedContents {
  const ids = new Map<string, Promise<string>>();

  function keep(key: string, id: Promise<string>): Promise<string> {
    ids.delete(key);
    ids.set(key, id);
    for (const oldest of ids.keys()) {
      if (ids.size <= limit) break;
      ids.delete(oldest);
    }
    return id;
  }

  return {
    async get(key, save) {
      const id = keep(key, ids.get(key) ?? save());
      try {
        return await id;
      } catch (error) {
        if (ids.get(key) === id) ids.delete(key);
        throw error;
      }
    },
    async drop(key, id) {
      const current = ids.get(key);
      if (current && (await current) === id && ids.get(key) === current) ids.delete(key);
    },
  };
}

/** A call that names a saved content by its id. */
export interface SavedCall<Answer> {
  readonly key: string;
  /** Saves the content; given the id that the vendor forgot, in a request of its own. */
  save(forgotten?: string): Promise<string>;
  send(id: string): Promise<Answer>;
  isForgotten(answer: Answer): boolean;
}

/** Sends a saved content, and saves it once more when the vendor forgot it. */
export async function sendSaved<Answer>(
  saved: SavedContents,
  call: SavedCall<Answer>,
): Promise<{ readonly answer: Answer; readonly id: string }> {
  const first = await saved.get(call.key, () => call.save());
  const answer = await call.send(first);
  if (!call.isForgotten(answer)) return { answer, id: first };
  await saved.drop(call.key, first);
  const second = await saved.get(call.key, () => call.save(first));
  return { answer: await call.send(second), id: second };
}

/** The key of a content that the pages of one push share; what differs from page to page, such as the life left, is left out. */
export const contentKey = (pushId: string, content: JsonObject): string =>
  `${pushId} ${createHash('sha256').update(writeJson(content)).digest('base64')}`;
