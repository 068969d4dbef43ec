import { Anchor } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api, ask, errorOf, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { Answer } from '../parts/answer';
import { Dialog } from '../parts/dialog';
import { ChoiceField, SwitchField, TextField } from '../parts/fields';
import { SendingForm } from '../parts/form';
import { Grid } from '../parts/grid';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { useWords } from '../words/language';
import { EDITIONS } from './app-settings';

export function AppsPage() {
  const t = useWords();
  const { may } = useRights();
  const query = useQuery({ queryKey: ['apps'], queryFn: () => ask(api.GET('/api/v1/apps')) });
  return (
    <Page
      title={t('apps')}
      actions={may('operator', 'fleet') && <Dialog label={t('newApp')}>{() => <NewApp />}</Dialog>}
    >
      <Answer query={query}>{({ results }) => <Apps list={results} />}</Answer>
    </Page>
  );
}

function Apps({ list }: { readonly list: readonly Schemas['App'][] }) {
  const t = useWords();
  return (
    <Grid
      label={t('apps')}
      head={[t('appName'), t('appId'), t('edition'), t('hybrid')]}
      empty={t('none')}
      rows={list.map(({ id, name, edition, hybrid }) => ({
        key: id,
        cells: [
          <Anchor component={Link} href={`/apps/${id}`} className="words">
            {name}
          </Anchor>,
          <span className="mono">{id}</span>,
          t(edition),
          hybrid ? <Mark mood="good">✓</Mark> : '',
        ],
      }))}
    />
  );
}

function NewApp() {
  const t = useWords();
  const [, go] = useLocation();
  const [name, setName] = useState('');
  const [edition, setEdition] = useState<(typeof EDITIONS)[number]>('commercial');
  const [hybrid, setHybrid] = useState(true);
  const creating = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/apps', { body: { name, edition, hybrid } })),
    onSuccess: ({ id }) => go(`/apps/${id}`),
  });
  return (
    <SendingForm sending={creating} label={t('create')}>
      <TextField label={t('appName')} value={name} error={errorOf(creating.error)?.at('name')} onChange={setName} />
      <ChoiceField label={t('edition')} choices={EDITIONS} value={edition} onChange={setEdition} />
      <SwitchField label={t('hybrid')} description={t('hybridHelp')} value={hybrid} onChange={setHybrid} />
    </SendingForm>
  );
}
