import { Alert, Anchor, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { api, ask, type Schemas } from '../../api/client';
import { Failure } from '../../parts/answer';
import { useNumber, useWords } from '../../words/language';
import { draftOf, type Draft } from './draft';

type Unreached = Schemas['Unreached'];

interface Wish {
  /** The push to repeat. */
  readonly pushId: string;
  /** To those whom it did not reach by this channel for this reason. */
  readonly channel?: string;
  readonly reason?: string;
  /** From where on, when a push to those before was sent. */
  readonly cursor?: string;
  /** That push. */
  readonly sent?: string;
}

interface Found {
  readonly record: Schemas['PushRecord'];
  readonly unreached?: Unreached;
}

/**
 * What the address asks for: `?repeat=PUSH`, with a channel and a reason for those alone who did not get it, and with a cursor
 * for the next of them.
 */
export function wishIn(search: string): Wish | undefined {
  const query = new URLSearchParams(search);
  const given = ['channel', 'reason', 'cursor', 'sent'].flatMap((name) => {
    const value = query.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const pushId = query.get('repeat');
  return pushId === null ? undefined : { pushId, ...(Object.fromEntries(given) as Omit<Wish, 'pushId'>) };
}

const searchFor = ({ pushId, channel = '', reason = '' }: Wish, cursor: string): string =>
  new URLSearchParams({ repeat: pushId, channel, reason, cursor }).toString();

async function find(id: string, { pushId, channel, reason, cursor }: Wish): Promise<Found> {
  const path = { id, pushId };
  const record = await ask(api.GET('/api/v1/apps/{id}/pushes/{pushId}', { params: { path } }));
  if (channel === undefined || reason === undefined) return { record };
  const from = async (at: string | undefined): Promise<Unreached> => {
    const params = { path, query: { channel, reason, ...(at === undefined ? {} : { cursor: at }) } };
    const found = await ask(api.GET('/api/v1/apps/{id}/pushes/{pushId}/unreached', { params }));
    // All of them are gone: there is nobody to send to before the next.
    return found.object_ids.length === 0 && found.cursor !== undefined ? from(found.cursor) : found;
  };
  return { record, unreached: await from(cursor) };
}

/** The next devices of a push get what is written by now. */
function filledBy({ record, unreached }: Found, wish: Wish): Partial<Draft> {
  const message = wish.cursor === undefined ? draftOf(record) : {};
  if (!unreached) return message;
  const { object_ids: ids, cursor } = unreached;
  const next = cursor === undefined ? '' : searchFor(wish, cursor);
  return { ...message, audience: 'byIds', list: 'object_ids', ids: ids.join('\n'), next };
}

interface FilledInProps {
  readonly id: string;
  readonly wish: Wish;
  readonly onFound: (draft: Partial<Draft>) => void;
}

/** Fills the page in from a push that was sent, and says what of it is not there. */
export function FilledIn({ id, wish, onFound }: FilledInProps) {
  const t = useWords();
  const name = JSON.stringify(wish);
  const { data, error, refetch } = useQuery({
    queryKey: ['repeat', id, name],
    staleTime: Infinity,
    gcTime: 0,
    queryFn: () => find(id, wish),
  });
  // What is asked for anew later takes nothing back that was written since.
  const isFilled = useRef(false);
  useEffect(() => {
    if (!data || isFilled.current) return;
    isFilled.current = true;
    onFound(filledBy(data, JSON.parse(name) as Wish));
  }, [data, name, onFound]);
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loader size="xs" role="status" aria-label={t('loading')} />;
  if (data.unreached) return <Again id={id} wish={wish} unreached={data.unreached} />;
  if (data.record.named !== true) return null;
  return (
    <Alert variant="outline" color="yellow" role="status">
      {t('repeatNamed')}
    </Alert>
  );
}

interface AgainProps {
  readonly id: string;
  readonly wish: Wish;
  readonly unreached: Unreached;
}

function Again({ id, wish, unreached: { object_ids: ids, complete } }: AgainProps) {
  const t = useWords();
  const number = useNumber();
  return (
    <Alert variant="outline" color="blue" role="status">
      {wish.sent !== undefined && (
        <Text size="sm">
          {t('sentToDevice')}{' '}
          <Anchor component={Link} href={`/apps/${id}/pushes/${wish.sent}`}>
            {wish.sent}
          </Anchor>
        </Text>
      )}
      <Text size="sm">{`${t('againHelp')} ${number(ids.length)}. ${wish.channel ?? ''}: ${wish.reason ?? ''}`}</Text>
      {wish.reason === 'unknown-outcome' && <Text size="sm">{t('mayHaveIt')}</Text>}
      {!complete && ids.length === 0 && <Text size="sm">{t('againGone')}</Text>}
    </Alert>
  );
}
