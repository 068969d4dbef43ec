import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';

const PAGE = 50;

interface Wish {
  readonly of: string;
  /** Devices that are looked for. */
  readonly most: number;
  readonly isStopped: boolean;
}

/** Devices that meet a condition, as far as they were looked for. */
export interface DeviceSearching {
  readonly found: readonly Schemas['Installation'][];
  readonly lookedAt: number;
  /** Of the app. */
  readonly total: number;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** All were looked at. */
  readonly isDone: boolean;
  readonly stop: () => void;
  /** Looks for more of them, where it stopped or failed. */
  readonly goOn: () => void;
}

/**
 * Asks part by part until a page is found, all were looked at, or it is stopped: a request looks at some thousands of devices, and an
 * app may have millions. Without a condition it asks for nothing.
 */
export function useDeviceSearch(id: string, where: string): DeviceSearching {
  const of = JSON.stringify([id, where]);
  const [last, setWish] = useState<Wish>({ of, most: PAGE, isStopped: false });
  // Another condition is another search.
  const wish = last.of === of ? last : { of, most: PAGE, isStopped: false };
  const { data, hasNextPage, isFetching, error, fetchNextPage } = useParts(id, where);
  const counted = countedIn(data?.pages ?? []);
  const isShort = !wish.isStopped && counted.found.length < wish.most;
  const isDue = hasNextPage && isShort && !isFetching && error === null;
  useEffect(() => {
    if (isDue) void fetchNextPage();
  }, [isDue, fetchNextPage]);
  return {
    ...counted,
    error,
    isRunning: isFetching || isDue,
    isDone: data !== undefined && !hasNextPage,
    stop: () => setWish({ ...wish, isStopped: true }),
    goOn: () => {
      setWish({ of, most: counted.found.length + PAGE, isStopped: false });
      void fetchNextPage();
    },
  };
}

const useParts = (id: string, where: string) =>
  useInfiniteQuery({
    queryKey: ['devices', id, { where }],
    enabled: where !== '',
    staleTime: Infinity,
    initialPageParam: '',
    queryFn: ({ pageParam: cursor, signal }) => {
      const params = { path: { id }, query: { limit: PAGE, where, ...(cursor === '' ? {} : { cursor }) } };
      return ask(api.GET('/api/v1/apps/{id}/installations', { params, signal }));
    },
    getNextPageParam: ({ cursor }) => cursor,
  });

interface Part {
  readonly results: DeviceSearching['found'];
  readonly lookedAt?: number | undefined;
  readonly total?: number | undefined;
}

function countedIn(parts: readonly Part[]): Pick<DeviceSearching, 'found' | 'lookedAt' | 'total'> {
  const lookedAt = parts.reduce((sum, part) => sum + (part.lookedAt ?? 0), 0);
  const total = Math.max(parts[0]?.total ?? 0, lookedAt);
  return { found: parts.flatMap(({ results }) => results), lookedAt, total };
}
