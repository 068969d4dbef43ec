import { api, ask, type Schemas } from './client';

export type PushBody = Schemas['Push'];
export type Preflight = Schemas['Preflight'];

const LATER_MS = 1000;

interface Counting {
  readonly isExact: boolean;
  readonly signal: AbortSignal;
  /** Told how many devices were looked at while it goes on. */
  readonly onProgress: (lookedAt: number) => void;
}

/** What a push would reach; a walk that takes long is asked for again until it is done. */
export async function preflight(id: string, body: PushBody, counting: Counting): Promise<Preflight> {
  const { isExact, signal, onProgress } = counting;
  const params = { path: { id }, query: isExact ? { exact: '1' as const } : {} };
  let answer = await ask(api.POST('/api/v1/apps/{id}/pushes/preflight', { params, body, signal }));
  while ('path' in answer) {
    onProgress(answer.lookedAt);
    const path = { id, preflightId: answer.path.slice(answer.path.lastIndexOf('/') + 1) };
    await new Promise((resolve) => setTimeout(resolve, LATER_MS));
    signal.throwIfAborted();
    answer = await ask(api.GET('/api/v1/apps/{id}/preflights/{preflightId}', { params: { path }, signal }));
  }
  return answer;
}

interface Sending {
  readonly reqId: string;
  /** What its sender was told and said yes to. */
  readonly confirmed?: number;
}

export const sendPush = (id: string, body: PushBody, { reqId, confirmed }: Sending): Promise<Schemas['Pushed']> =>
  ask(
    api.POST('/api/v1/apps/{id}/pushes', {
      params: { path: { id }, query: confirmed === undefined ? {} : { confirmed } },
      body: { ...body, req_id: reqId },
    }),
  );
