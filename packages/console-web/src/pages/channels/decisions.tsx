import { Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import { useChange } from '../../api/use-change';
import { Failure } from '../../parts/answer';
import { bindTexts } from '../../parts/bind-texts';
import { Confirm } from '../../parts/confirm';
import { TextField } from '../../parts/fields';
import { useKept, type Kept } from '../../parts/use-kept';
import type { Key } from '../../words/en';
import { useWords } from '../../words/language';

/** Of the whole channel, of an app, or of one profile of an app. */
interface Scope {
  readonly app?: string | undefined;
  readonly profile?: string | undefined;
}

interface OfChannel {
  readonly channel: string;
}

const CHANNELS = ['channels'];

/** As short as a button says it. */
const aboutOf = (channel: string, { app, profile }: Scope): string =>
  [channel, app, profile].filter((part) => part !== undefined).join('/');

/** What follows, and of how much of the channel. */
function useQuestion({ channel, scope: { app, profile } }: OfChannel & { readonly scope: Scope }, asked: Key): string {
  const t = useWords();
  const ofApp = app === undefined ? t('wholeChannel') : `${t('onlyOfApp')} ${app}`;
  const ofProfile = profile === undefined ? '' : `, ${t('onlyOfProfile')} ${profile}`;
  return `${t('isAbout')} ${channel}, ${ofApp}${ofProfile}. ${t(asked)}`;
}

export function Resume({ channel, scope }: OfChannel & { readonly scope: Scope }) {
  const t = useWords();
  const question = useQuestion({ channel, scope }, 'resumeAsk');
  const { app, profile } = scope;
  const changed = useChange(CHANNELS);
  const body = { ...(app === undefined ? {} : { app }), ...(profile === undefined ? {} : { profile }) };
  const params = { path: { channel } };
  const resume = () => changed(ask(api.POST('/api/v1/channels/{channel}/resume', { params, body })));
  return <Confirm label={t('resume')} about={aboutOf(channel, scope)} question={question} onConfirm={resume} />;
}

/** What is typed of a scope, and what of it is sent. */
function useScope(decision: string) {
  const kept = useKept(decision, { app: '', profile: '' });
  const [app, profile] = [kept.form.app.trim(), kept.form.profile.trim()];
  // A profile is one of an app: without the app, nothing is meant by it.
  const scope: Scope = app === '' ? {} : { app, ...(profile === '' ? {} : { profile }) };
  return { kept, scope };
}

function ScopeFields({ kept: { form, change } }: { readonly kept: Kept<{ app: string; profile: string }> }) {
  const t = useWords();
  const text = bindTexts(form, change);
  return (
    <>
      <TextField label={t('onlyApp')} description={t('onlyAppHelp')} {...text('app')} />
      <TextField label={t('onlyProfile')} {...text('profile')} disabled={form.app.trim() === ''} />
    </>
  );
}

export function Stop({ channel, verb }: OfChannel & { readonly verb: 'pause' | 'drain' }) {
  const t = useWords();
  const changed = useChange(CHANNELS);
  const { scope, kept } = useScope(`${verb} ${channel}`);
  const question = useQuestion({ channel, scope }, `${verb}Ask`);
  const params = { path: { channel } };
  const stop = () => changed(ask(api.POST(`/api/v1/channels/{channel}/${verb}`, { params, body: scope })));
  return (
    <Confirm label={t(verb)} about={channel} question={question} kept={kept} onConfirm={stop}>
      <ScopeFields kept={kept} />
    </Confirm>
  );
}

/** What waits is counted first; the API discards as many as the reader has seen, and no more. */
export function Discard({ channel }: OfChannel) {
  const t = useWords();
  const changed = useChange(CHANNELS);
  const { scope, kept } = useScope(`discard ${channel}`);
  const question = useQuestion({ channel, scope }, 'discardAsk');
  const client = useQueryClient();
  const [typed, setTyped] = useState('');
  const params = { path: { channel } };
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['discard', channel, scope.app, scope.profile],
    retry: false,
    enabled: false,
    gcTime: 0,
    queryFn: () => ask(api.GET('/api/v1/channels/{channel}/discard', { params: { ...params, query: scope } })),
  });
  // What waited when it was open before says nothing of what waits now.
  const forgetCount = (): void => {
    setTyped('');
    void client.resetQueries({ queryKey: ['discard', channel] });
  };
  const discard = () => {
    const body = { ...scope, ...(data === undefined ? {} : { confirm: data.devices }) };
    return changed(ask(api.POST('/api/v1/channels/{channel}/discard', { params, body })));
  };
  return (
    <Confirm
      label={t('discard')}
      about={channel}
      question={question}
      color="red"
      kept={kept}
      isReady={data !== undefined && typed === String(data.devices)}
      onOpen={forgetCount}
      onConfirm={discard}
    >
      <ScopeFields kept={kept} />
      <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
        {t('countIt')}
      </Button>
      <Failure error={error} />
      {data && (
        <>
          <Text role="status">
            {`${data.complete ? '' : '≥ '}${data.devices} ${t('devicesOf')}, ${data.pushes} ${t('pushesOf')}`}
          </Text>
          <TextField label={t('typeCount')} value={typed} onChange={setTyped} />
        </>
      )}
    </Confirm>
  );
}
