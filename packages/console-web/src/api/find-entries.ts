import { midnightOf } from '../parts/midnight-of';
import { api, ask } from './client';
import { findPage, given } from './find-page';

export const AUDIT_WORDS = ['by', 'action', 'app', 'from', 'to'] as const;
/** What the audit log is searched by; what is empty is not asked for. */
export type AuditWish = Readonly<Record<(typeof AUDIT_WORDS)[number], string>>;

const PAGE = 50;

const momentOf = (typed: string): string => midnightOf(typed)?.toISOString() ?? typed;

/** The API takes a day for one of UTC. */
const askedFor = (wish: AuditWish): Record<string, string> =>
  given({ ...wish, from: momentOf(wish.from), to: momentOf(wish.to) });

export const findEntries = (
  wish: AuditWish,
  { cursor, signal }: { readonly cursor: string | undefined; readonly signal: AbortSignal },
) =>
  findPage(
    (finding) => ask(api.GET('/api/v1/audit', { params: { query: { ...askedFor(wish), ...finding } }, signal })),
    {
      size: PAGE,
      cursor,
    },
  );

/** The same list as a file. */
export const tableOfAudit = (wish: AuditWish): string => `/api/v1/audit.csv?${new URLSearchParams(askedFor(wish))}`;
