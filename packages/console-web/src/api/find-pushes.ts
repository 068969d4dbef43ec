import { api, ask, type Schemas } from './client';
import { findPage, given, type FoundPage } from './find-page';

/** What pushes are searched by; what is empty is not asked for. */
export type PushWish = Readonly<Record<'search' | 'status' | 'channel' | 'from-service', string>>;

const PAGE = 20;

export const findPushes = (
  id: string,
  wish: PushWish,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
): Promise<FoundPage<Schemas['PushRecord']>> =>
  findPage(
    (finding) => {
      const query = { ...given(wish), ...finding };
      return ask(api.GET('/api/v1/apps/{id}/pushes', { params: { path: { id }, query }, signal }));
    },
    { size: PAGE, cursor },
  );

/** The same list as a file. */
export const tableOfPushes = (id: string, wish: PushWish): string =>
  `/api/v1/apps/${encodeURIComponent(id)}/pushes.csv?${new URLSearchParams(given(wish))}`;
