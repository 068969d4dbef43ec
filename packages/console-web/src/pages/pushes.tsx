import { Anchor, Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, ask, type Schemas } from '../api/client';
import { Answer } from '../parts/answer';
import { AppTabs } from '../parts/app-tabs';
import { Grid } from '../parts/grid';
import { Page } from '../parts/page';
import { useMoment, useWords } from '../words/language';

const PAGE = 20;
const EVERY_MS = 5_000;

export function PushesPage({ id }: { readonly id: string }) {
  const t = useWords();
  const [skip, setSkip] = useState(0);
  const params = { path: { id }, query: { limit: PAGE, skip } };
  const query = useQuery({
    ...{ queryKey: ['pushes', id, skip], refetchInterval: EVERY_MS, placeholderData: keepPreviousData },
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/pushes', { params })),
  });
  return (
    <Page title={t('pushes')}>
      <AppTabs id={id} />
      <Answer query={query}>
        {({ results }) => (
          <>
            <Pushes id={id} list={results} />
            <Group>
              <Button size="xs" variant="default" disabled={skip === 0} onClick={() => setSkip(skip - PAGE)}>
                {t('newer')}
              </Button>
              <Button size="xs" variant="default" disabled={results.length < PAGE} onClick={() => setSkip(skip + PAGE)}>
                {t('older')}
              </Button>
            </Group>
          </>
        )}
      </Answer>
    </Page>
  );
}

/** What a reader recognises a push by. */
export function textOf({ msg }: Pick<Schemas['PushRecord'], 'msg'>): string {
  const { title, alert, silent } = msg as Readonly<Record<string, unknown>>;
  const words = [title, alert].filter((part): part is string => typeof part === 'string');
  return words.join(' — ') || (silent === true ? 'silent' : JSON.stringify(msg).slice(0, 80));
}

function Pushes({ id, list }: { readonly id: string; readonly list: readonly Schemas['PushRecord'][] }) {
  const t = useWords();
  const moment = useMoment();
  return (
    <Grid
      label={t('pushes')}
      head={[t('text'), t('at'), t('status'), t('count'), t('accepted')]}
      empty={t('noPushes')}
      rows={list.map((push) => ({
        key: push.objectId,
        cells: [
          <Anchor component={Link} href={`/apps/${id}/pushes/${push.objectId}`} className="words">
            {textOf(push)}
          </Anchor>,
          moment(push['push-time']),
          push.status,
          push.devices,
          push.successes,
        ],
      }))}
    />
  );
}
