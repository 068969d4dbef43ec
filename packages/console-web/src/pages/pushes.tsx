import { Anchor } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'wouter';
import type { Schemas } from '../api/client';
import { writeJson } from '../api/exact-json';
import { given } from '../api/find-page';
import { findPushes, tableOfPushes, type PushWish } from '../api/find-pushes';
import { useLiveOptions } from '../live/live';
import { Answer } from '../parts/answer';
import { FoundFoot } from '../parts/found-foot';
import { Grid, type ListProps } from '../parts/grid';
import { PageOfApp } from '../parts/page-of-app';
import { PushStatus } from '../parts/push-status';
import { useTurning } from '../parts/turning';
import { useMoment, useWords } from '../words/language';
import { PushSearch } from './pushes/search';

const EVERY_MS = 5_000;
/** What is searched for makes the console look at many records. */
const SEARCHED_EVERY_MS = 15_000;

const wishIn = (params: URLSearchParams): PushWish => ({
  search: params.get('search') ?? '',
  status: params.get('status') ?? '',
  channel: params.get('channel') ?? '',
  'from-service': params.get('from-service') ?? '',
});

export function PushesPage({ id }: { readonly id: string }) {
  const t = useWords();
  const [params, setParams] = useSearchParams();
  const wish = wishIn(params);
  const turning = useTurning(JSON.stringify([id, wish]));
  const { cursor } = turning;
  const live = useLiveOptions(`pushes/${id}`, EVERY_MS);
  const isSearch = Object.values(wish).some((value) => value !== '');
  // The topic is the newest ones; the first page of a search is asked for in turns, and what is older stays as it was read.
  const everyMs = cursor === undefined ? SEARCHED_EVERY_MS : (false as const);
  const query = useQuery({
    ...(cursor === undefined && !isSearch ? live : { refetchInterval: everyMs }),
    queryKey: ['pushes', id, wish, cursor],
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => findPushes(id, wish, { cursor, signal }),
  });
  return (
    <PageOfApp id={id} title={t('pushes')}>
      <PushSearch id={id} wish={wish} onWish={(next) => setParams(given(next))} />
      <Answer query={query}>
        {({ results, cursor: next, lookedAt, lookedBackTo }) => (
          <>
            <Pushes id={id} list={results} empty={t(isSearch ? emptyOf(next) : 'noPushes')} />
            <FoundFoot
              {...{ turning, next }}
              looked={isSearch && lookedBackTo !== undefined ? { backTo: lookedBackTo, at: lookedAt } : undefined}
              href={tableOfPushes(id, wish)}
            />
          </>
        )}
      </Answer>
    </PageOfApp>
  );
}

const emptyOf = (next: string | undefined): 'noSuchPushes' | 'noneSoFar' =>
  next === undefined ? 'noSuchPushes' : 'noneSoFar';

/** What a reader recognises a push by; what shows no text is called what the reader calls it. */
export function textOf({ msg }: Pick<Schemas['PushRecord'], 'msg'>, silentWord: string): string {
  const { title, alert, silent } = msg as Readonly<Record<string, unknown>>;
  const words = [title, alert].filter((part): part is string => typeof part === 'string');
  return words.join(' — ') || (silent === true ? silentWord : writeJson(msg).slice(0, 80));
}

function Pushes({ id, list, empty }: ListProps<Schemas['PushRecord']>) {
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
