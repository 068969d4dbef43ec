import { request, type Agent } from 'undici';
import { timed } from './benchmark';

export const CONNECTIONS = 64;

/** Where JSON is posted to, and what is answered. */
export interface PostTarget {
  readonly url: string;
  /** Of the caller, beside the content type. */
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;
  readonly http: Agent;
}

/** Requests per second, every answer checked. */
export async function timedPosts(
  bodies: readonly string[],
  { url, headers: own, status, http }: PostTarget,
): Promise<number> {
  const headers = { 'content-type': 'application/json', ...own };
  const seconds = await timed(bodies.length, CONNECTIONS, async (i) => {
    const answer = await request(url, { method: 'POST', headers, body: bodies[i] ?? '', dispatcher: http });
    const text = await answer.body.text();
    if (answer.statusCode !== status) throw new Error(`${answer.statusCode}: ${text}`);
  });
  return bodies.length / seconds;
}
