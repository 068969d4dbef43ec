import { useQuery, type UseQueryResult } from '@tanstack/react-query';

/** What the API says now, asked for again and again while the page is open. */
export const usePolled = <T>(key: readonly string[], everyMs: number, queryFn: () => Promise<T>): UseQueryResult<T> =>
  useQuery({ queryKey: key, refetchInterval: everyMs, queryFn });
