import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { api, ask, type Schemas } from '../../api/client';
import { withCounts, withGroups, type Group } from './sums';

type Slice = Schemas['Audience'];

/** What was counted so far. */
export interface Counted {
  readonly column: string;
  readonly lookedAt: number;
  readonly total: number;
  readonly isDone: boolean;
  readonly reach: ReadonlyMap<string, Group>;
  readonly profiles: ReadonlyMap<string, number>;
  readonly values: ReadonlyMap<string, number>;
  readonly seen: ReadonlyMap<string, number>;
}

const NONE = new Map<string, never>();

/** Reads the devices of an app slice after slice, until the end, until it is stopped, or until the page is left. */
export function useCensus(id: string) {
  const client = useQueryClient();
  const [counted, setCounted] = useState<Counted>();
  const [error, setError] = useState<unknown>();
  const [isRunning, setRunning] = useState(false);
  const run = useRef<AbortController>(undefined);
  const stop = (): void => {
    run.current?.abort();
    setRunning(false);
  };
  useEffect(() => () => run.current?.abort(), [id]);
  const start = async (column: string): Promise<void> => {
    const { signal } = (run.current = new AbortController());
    setRunning(true);
    setError(undefined);
    try {
      await readAll({ client, id, column, signal }, setCounted);
    } catch (failed) {
      if (!signal.aborted) setError(failed);
    } finally {
      if (!signal.aborted) setRunning(false);
    }
  };
  return { counted, error, isRunning, start, stop };
}

interface Reading {
  readonly client: QueryClient;
  readonly id: string;
  readonly column: string;
  readonly signal: AbortSignal;
}

async function readAll({ client, id, column, signal }: Reading, onCounted: (counted: Counted) => void): Promise<void> {
  const startedAt = performance.now();
  let counted: Counted = {
    column,
    lookedAt: 0,
    total: 0,
    isDone: false,
    reach: NONE,
    profiles: NONE,
    values: NONE,
    seen: NONE,
  };
  let cursor: string | undefined;
  do {
    const query = { column, ...(cursor === undefined ? {} : { cursor }) };
    // Tried again like all that is read: after a thousand slices one that fails is no reason to begin anew.
    const slice = await client.fetchQuery({
      queryKey: ['census', id, startedAt, cursor],
      queryFn: () => ask(api.GET('/api/v1/apps/{id}/audience', { params: { path: { id }, query }, signal })),
      gcTime: 0,
    });
    signal.throwIfAborted();
    cursor = slice.cursor;
    counted = added(counted, slice);
    onCounted(counted);
  } while (cursor !== undefined);
}

const added = (before: Counted, slice: Slice): Counted => ({
  column: before.column,
  lookedAt: before.lookedAt + slice.lookedAt,
  total: Math.max(slice.total ?? before.total, before.lookedAt + slice.lookedAt),
  isDone: slice.cursor === undefined,
  reach: withGroups(before.reach, slice.reach),
  profiles: withCounts(before.profiles, slice.profiles),
  values: withCounts(before.values, slice.values),
  seen: withCounts(before.seen, slice.seen),
});
