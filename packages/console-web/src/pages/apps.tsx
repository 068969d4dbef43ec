import { Anchor, Button, Select, Stack, Switch, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { api, ask, errorOf, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { Answer, Failure } from '../parts/answer';
import { Dialog } from '../parts/dialog';
import { Grid } from '../parts/grid';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { useWords } from '../words/language';

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
  const [edition, setEdition] = useState<'developer' | 'commercial'>('commercial');
  const [hybrid, setHybrid] = useState(true);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/apps', { body: { name, edition, hybrid } })),
    onSuccess: ({ id }) => go(`/apps/${id}`),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('appName')}
          value={name}
          error={errorOf(error)?.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={t('edition')}
          value={edition}
          allowDeselect={false}
          data={[
            { value: 'developer', label: t('developer') },
            { value: 'commercial', label: t('commercial') },
          ]}
          onChange={(value) => setEdition(value === 'developer' ? 'developer' : 'commercial')}
        />
        <Switch
          label={t('hybrid')}
          description={t('hybridHelp')}
          checked={hybrid}
          onChange={(event) => setHybrid(event.currentTarget.checked)}
        />
        <Failure error={error} />
        <Button type="submit" loading={isPending}>
          {t('create')}
        </Button>
      </Stack>
    </form>
  );
}
