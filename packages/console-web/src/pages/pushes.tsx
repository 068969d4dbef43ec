import { Anchor, Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, ask, type Schemas } from '../api/client';
import { useLiveOptions } from '../live/live';
import { Answer } from '../parts/answer';
import { AppTabs } from '../parts/app-tabs';
import { ChoiceField } from '../parts/fields';
import { Grid } from '../parts/grid';
import { Page } from '../parts/page';
import { PushStatus } from '../parts/push-status';
import { useMoment, useWords } from '../words/language';

const PAGE = 20;
const EVERY_MS = 5_000;
const STATUSES = ['anyStatus', 'scheduled', 'in-queue', 'done', 'error'] as const;

export function PushesPage({ id }: { readonly id: string }) {
  const t = useWords();
  const [skip, setSkip] = useState(0);
  const [status, setStatus] = useState<(typeof STATUSES)[number]>('anyStatus');
  const params = { path: { id }, query: { limit: PAGE, skip, ...(status === 'anyStatus' ? {} : { status }) } };
  const live = useLiveOptions(`pushes/${id}`, EVERY_MS);
  // The topic is the newest ones; others are asked for in turns.
  const isTopic = skip === 0 && status === 'anyStatus';
  const query = useQuery({
    ...(isTopic ? live : { refetchInterval: EVERY_MS }),
    ...{ queryKey: ['pushes', id, status, skip], placeholderData: keepPreviousData },
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/pushes', { params })),
  });
  return (
    <Page title={t('pushes')}>
      <AppTabs id={id} />
      <ChoiceField
        label={t('status')}
        choices={STATUSES}
        value={status}
        onChange={(chosen) => {
          setStatus(chosen);
          setSkip(0);
        }}
      />
      <Answer query={query}>
        {({ results }) => (
          <>
            <Pushes id={id} list={results} empty={t(isTopic ? 'noPushes' : 'noSuchPushes')} />
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

/** What a reader recognises a push by; what shows no text is called what the reader calls it. */
export function textOf({ msg }: Pick<Schemas['PushRecord'], 'msg'>, silentWord = 'silent'): string {
  const { title, alert, silent } = msg as Readonly<Record<string, unknown>>;
  const words = [title, alert].filter((part): part is string => typeof part === 'string');
  return words.join(' — ') || (silent === true ? silentWord : JSON.stringify(msg).slice(0, 80));
}

interface PushesProps {
  readonly id: string;
  readonly list: readonly Schemas['PushRecord'][];
  /** What is said when there are none. */
  readonly empty: string;
}

function Pushes({ id, list, empty }: PushesProps) {
  const t = useWords();
  const moment = useMoment();
  return (
    <Grid
      label={t('pushes')}
      head={[t('text'), t('at'), t('status'), t('count'), t('accepted')]}
      empty={empty}
      rows={list.map((push) => ({
        key: push.objectId,
        cells: [
          <Anchor component={Link} href={`/apps/${id}/pushes/${push.objectId}`} className="words">
            {textOf(push, t('silent'))}
          </Anchor>,
          moment(push['push-time']),
          <PushStatus push={push} />,
          push.devices,
          push.successes,
        ],
      }))}
    />
  );
}
