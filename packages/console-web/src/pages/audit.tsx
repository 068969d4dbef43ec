import { Button, Group } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../api/client';
import { Failure } from '../parts/answer';
import { Grid } from '../parts/grid';
import { Moment } from '../parts/moment';
import { Page } from '../parts/page';
import { useWords } from '../words/language';

const PAGE = 50;

export function AuditPage() {
  const t = useWords();
  const { data, error, hasNextPage, fetchNextPage, isFetching } = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) =>
      ask(
        api.GET('/api/v1/audit', {
          params: { query: { limit: PAGE, ...(pageParam === undefined ? {} : { cursor: pageParam }) } },
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
  });
  return (
    <Page title={t('audit')}>
      <Failure error={error} />
      <Entries list={data?.pages.flatMap(({ results }) => results) ?? []} />
      <Group>
        <Button
          variant="default"
          size="xs"
          disabled={!hasNextPage}
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {t('older')}
        </Button>
      </Group>
    </Page>
  );
}

interface Entry extends Pick<Schemas['AuditEntry'], 'at' | 'by' | 'from' | 'action' | 'target'> {
  readonly changes?: Readonly<Record<string, readonly unknown[]>> | undefined;
}

function Entries({ list }: { readonly list: readonly Entry[] }) {
  const t = useWords();
  return (
    <Grid
      label={t('audit')}
      head={[t('at'), t('by'), t('from'), t('action'), t('target'), t('changes')]}
      rows={list.map(({ at, by, from, action, target, changes = {} }, i) => ({
        key: `${at} ${i}`,
        cells: [
          ...[<Moment at={at} />, by, from, action],
          <span className="mono">{target}</span>,
          <span className="mono">
            {Object.entries(changes)
              .map(([field, [before, after]]) => `${field}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`)
              .join(', ')}
          </span>,
        ],
      }))}
    />
  );
}
