import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { errorOf } from '../api/client';
import { readJson, writeJson } from '../api/exact-json';
import { sendPush, type Preflight, type PushBody } from '../api/send-push';
import { useAppName } from '../api/use-app';
import { Confirm } from '../parts/confirm';
import { PageOfApp } from '../parts/page-of-app';
import { useNumber, useWords } from '../words/language';
import { AudienceFields } from './send/audience-fields';
import { bodyOf, isEmpty, messageOf, type Draft } from './send/draft';
import { MessageFields } from './send/message-fields';
import { ReachView, useReach, type Reach } from './send/reach';
import { isTooSoon } from './send/schedule';
import { TestDevice } from './send/test-device';
import { TimeFields } from './send/time-fields';
import { useDraft, type DraftInHand } from './send/use-draft';
import { useTooSoon } from './send/use-too-soon';
import { Wished } from './send/wished';

/** Typing goes on: what is asked while it does is thrown away. */
const TYPING_MS = 400;
/** From so many on, their number has to be typed. */
const MANY = 1000;
/** The push API knows a req_id so long. */
const REPEATABLE_MS = 5 * 60_000;

export function SendPage({ id }: { readonly id: string }) {
  const t = useWords();
  return (
    <PageOfApp id={id} title={t('send')}>
      <Composer id={id} />
    </PageOfApp>
  );
}

function Composer({ id }: { readonly id: string }) {
  const inHand = useDraft(id);
  const { draft, change } = inHand;
  const body = bodyOf(draft);
  const written = body && writeJson(body);
  const [settled] = useDebouncedValue(written, TYPING_MS);
  const asked = settled === undefined ? undefined : (readJson(settled) as PushBody);
  const reach = useReach(id, body && asked);
  const isCounted = written === settled && !reach.query.isPlaceholderData;
  const error = errorOf(reach.query.error);
  const part = { draft, change, error };
  return (
    <Stack gap="xl" maw={900}>
      <Wished id={id} inHand={inHand} />
      <MessageFields {...part} />
      <AudienceFields {...part} />
      <TimeFields {...part} />
      <ReachView {...{ reach, isCounted }} isWhole={body !== undefined} />
      <TestDevice id={id} message={messageOf(draft)} />
      <Sending {...{ id, inHand, reach, isCounted }} />
    </Stack>
  );
}

interface SendingProps {
  readonly id: string;
  readonly inHand: DraftInHand;
  readonly reach: Reach;
  /** What is shown was counted for what is written. */
  readonly isCounted: boolean;
}

function Sending({ id, inHand, reach: { query }, isCounted }: SendingProps) {
  const t = useWords();
  const { draft, isKept } = inHand;
  const told = isCounted && !query.error ? query.data : undefined;
  // Who belongs to it is read when its time has come.
  const mayBeSent = told !== undefined && (told.devices > 0 || draft.isLater);
  return (
    <Stack>
      <Unclear since={draft.unclearAt} />
      {!isKept && <Text size="sm">{t('draftNotKept')}</Text>}
      {draft.next !== '' && <Text size="sm">{t('againMore')}</Text>}
      <Group>
        {mayBeSent ? <SendButton id={id} inHand={inHand} told={told} /> : <Button disabled>{t('send')}</Button>}
        <StartAnew inHand={inHand} />
        {mayBeSent && <Sendable told={told} />}
      </Group>
    </Stack>
  );
}

function StartAnew({ inHand: { draft, clear } }: Pick<SendingProps, 'inHand'>) {
  const t = useWords();
  if (isEmpty(draft)) return null;
  const anew = (): Promise<void> => Promise.resolve(clear());
  return <Confirm label={t('startAnew')} question={t('startAnewAsk')} size="md" onConfirm={anew} />;
}

/** Not all of an audience can be sent to. */
function Sendable({ told: { channels, exact } }: { readonly told: Preflight }) {
  const t = useWords();
  const number = useNumber();
  const sendable = Object.values(channels).reduce((sum, channel) => sum + channel.sendable, 0);
  return <Text size="sm">{`${t('ofThem')} ${exact ? '' : `${t('about')} `}${number(sendable)}`}</Text>;
}

interface SendButtonProps extends Pick<SendingProps, 'id' | 'inHand'> {
  readonly told: Preflight;
}

/** What is confirmed is the number that stands on the page. */
function SendButton({ id, inHand: { draft, change, markAsked, markFailed, clear }, told }: SendButtonProps) {
  const t = useWords();
  const number = useNumber();
  const [, go] = useLocation();
  const { devices, exact } = told;
  const isMany = devices >= MANY;
  const isSoon = useTooSoon(draft);
  const sent = (objectId: string): void => {
    const { next, audience } = draft;
    if (next === '' || audience !== 'byIds') {
      clear();
      go(`/apps/${id}/pushes/${objectId}`);
    } else {
      change({ ids: '', next: '' });
      go(`/apps/${id}/send?${next}&sent=${objectId}`);
    }
  };
  const send = async (): Promise<void> => {
    const body = bodyOf(draft);
    if (!body) return;
    // The dialog may have been open for long.
    if (isTooSoon(draft, Date.now())) throw new Error(t('sendAtSoon'));
    markAsked();
    try {
      sent((await sendPush(id, body, { reqId: draft.reqId, confirmed: devices })).objectId);
    } catch (error) {
      markFailed(errorOf(error)?.isUnclear === true);
      throw error;
    }
  };
  return (
    <Confirm
      label={`${t('sendTo')} ${exact ? '' : `${t('about')} `}${number(devices)}`}
      question={draft.isLater ? t('scheduleAsk') : t(isMany ? 'sendAskMany' : 'sendAsk')}
      {...(isMany ? { typed: String(devices) } : {})}
      size="md"
      variant="filled"
      disabled={isSoon}
      isReady={!isSoon}
      onConfirm={send}
    >
      <WhatIsSent id={id} draft={draft} />
      <Sendable told={told} />
      {isSoon && (
        <Text size="sm" c="red">
          {t('sendAtSoon')}
        </Text>
      )}
    </Confirm>
  );
}

/** Where, and what: who has several tabs open reads it once more. */
function WhatIsSent({ id, draft: { title, text, isSilent } }: Pick<SendingProps, 'id'> & { readonly draft: Draft }) {
  const t = useWords();
  const parts = [useAppName(id), title, text, isSilent ? t('silent') : ''];
  return (
    <Stack gap={2}>
      {parts.filter(Boolean).map((part, i) => (
        <Text key={i} fw={i === 0 ? 600 : 400} className="words" lineClamp={4}>
          {part}
        </Text>
      ))}
    </Stack>
  );
}

function Unclear({ since }: { readonly since: number | undefined }) {
  const t = useWords();
  const [lateSince, setLateSince] = useState<number>();
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setTimeout(() => setLateSince(since), Math.max(0, since + REPEATABLE_MS - Date.now()));
    return () => clearTimeout(timer);
  }, [since]);
  if (since === undefined) return null;
  return (
    <Alert color="yellow" variant="outline" role="alert">
      {t(lateSince !== since && Date.now() - since < REPEATABLE_MS ? 'unclear' : 'unclearLate')}
    </Alert>
  );
}
