import { REQ_ID_MS } from '../kit/req-id';
import type { MessagingParts } from './messaging-parts';

/** What a chat server was answered to messages with a req_id, for as long as it may repeat them. */
export interface Answers {
  first(to: Asked): Promise<string | undefined>;
  /** Keeps an answer, unless there is one; resolves with the one that is kept. */
  keep(to: Asked, answer: string): Promise<string>;
}

interface Asked {
  readonly app: string;
  readonly reqId: string;
}

export function openAnswers({ redis, keys, memory }: MessagingParts): Answers {
  return {
    first: async ({ app, reqId }) => (await redis.get(keys.answer(app, reqId))) ?? undefined,
    async keep({ app, reqId }, answer) {
      await memory.requireRoom('request');
      return (await redis.set(keys.answer(app, reqId), answer, 'PX', REQ_ID_MS, 'NX', 'GET')) ?? answer;
    },
  };
}
