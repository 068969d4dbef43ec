import { api, ask, type Schemas } from './client';

/** What pushes are searched by; what is empty is not asked for. */
export type PushWish = Readonly<Record<'search' | 'status' | 'channel', string>>;

export interface FoundPushes {
  readonly results: readonly Schemas['PushRecord'][];
  readonly cursor?: string | undefined;
  readonly lookedBackTo?: string | undefined;
}

const PAGE = 20;
/** Requests that one page may take: each looks at a bounded number of records. */
const REQUESTS = 5;

export const given = (wish: PushWish): Record<string, string> =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== ''));

/** A page of what is searched for; short when there are few among very many. */
export async function findPushes(
  id: string,
  wish: PushWish,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<FoundPushes> {
  let found: FoundPushes = { results: [], cursor };
  for (let request = 0; request < REQUESTS; request += 1) {
    const query = { ...given(wish), limit: PAGE - found.results.length, ...(found.cursor && { cursor: found.cursor }) };
    const params = { path: { id }, query: query as { readonly status?: 'done' } };
    const page = await ask(api.GET('/api/v1/apps/{id}/pushes', { params, signal }));
    found = { ...page, results: [...found.results, ...page.results] };
    if (found.cursor === undefined || found.results.length >= PAGE) break;
  }
  return found;
}

/** The same list as a file. */
export const tableOfPushes = (id: string, wish: PushWish): string =>
  `/api/v1/apps/${encodeURIComponent(id)}/pushes.csv?${new URLSearchParams(given(wish))}`;
