/** Part of a list that is searched: short where one request did not find more. */
export interface FoundPage<T> {
  readonly results: readonly T[];
  readonly cursor?: string | undefined;
  readonly lookedAt?: number | undefined;
  readonly lookedBackTo?: string | undefined;
}

interface Finding {
  readonly limit: number;
  readonly cursor?: string;
}

interface PageWish {
  readonly size: number;
  readonly cursor: string | undefined;
}

/** Requests that one page may take: each looks at a bounded number of records. */
const REQUESTS = 5;

/** Asks until a page is full, until there is no more, or until it took enough requests. */
export async function findPage<T>(
  ask: (finding: Finding) => Promise<FoundPage<T>>,
  { size, cursor }: PageWish,
): Promise<FoundPage<T>> {
  let found: FoundPage<T> = { results: [], cursor };
  let lookedAt = 0;
  for (let request = 0; request < REQUESTS; request += 1) {
    const next = await ask({ limit: size - found.results.length, ...(found.cursor && { cursor: found.cursor }) });
    lookedAt += next.lookedAt ?? 0;
    found = { ...next, lookedAt, results: [...found.results, ...next.results] };
    if (found.cursor === undefined || found.results.length >= size) break;
  }
  return found;
}

/** What a list is searched by, and what is done with another wish. */
export interface SearchProps<Wish> {
  readonly wish: Wish;
  readonly onWish: (wish: Wish) => void;
}

/** What is not empty of what a list is searched by. */
export const given = (wish: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== ''));
