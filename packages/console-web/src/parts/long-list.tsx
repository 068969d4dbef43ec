import { Button, Loader, Stack } from '@mantine/core';
import { useInfiniteQuery, type QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useWords } from '../words/language';
import { Failure } from './answer';

interface Slice<T> {
  readonly results: readonly T[];
  readonly cursor?: string | undefined;
}

interface LongListProps<T> {
  readonly queryKey: QueryKey;
  readonly read: (query: { readonly cursor?: string }) => Promise<Slice<T>>;
  readonly children: (list: readonly T[]) => ReactNode;
}

/** A list that is read slice by slice, as far as its reader wants. */
export function LongList<T>({ queryKey, read, children }: LongListProps<T>) {
  const t = useWords();
  const { data, error, hasNextPage, fetchNextPage, refetch, isPending, isFetching } = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam }) => read(pageParam === undefined ? {} : { cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });
  return (
    <Stack align="stretch">
      <Failure error={error} onRetry={() => void refetch()} />
      {isPending && <Loader role="status" aria-label={t('loading')} />}
      {data && children(data.pages.flatMap(({ results }) => results))}
      {hasNextPage && (
        <div>
          <Button variant="default" size="xs" loading={isFetching} onClick={() => void fetchNextPage()}>
            {t('more')}
          </Button>
        </div>
      )}
    </Stack>
  );
}
