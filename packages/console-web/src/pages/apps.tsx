import { Anchor, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { api, ask, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { Answer } from '../parts/answer';
import { Dialog } from '../parts/dialog';
import { ChoiceField, SwitchField, TextField } from '../parts/fields';
import { SendingForm } from '../parts/form';
import { Grid } from '../parts/grid';
import { Mark } from '../parts/mark';
import { Page } from '../parts/page';
import { useForm } from '../parts/use-form';
import { useLanguage, useWords } from '../words/language';
import { EDITIONS } from './app-settings';

export function AppsPage() {
  const t = useWords();
  const { may } = useRights();
  const query = useQuery({ queryKey: ['apps'], queryFn: () => ask(api.GET('/api/v1/apps')) });
  return (
    <Page
      title={t('apps')}
      actions={may('operator', 'fleet') && <Dialog label={t('newApp')} keepAs="new app" form={() => <NewApp />} />}
    >
      <Answer query={query}>{({ results }) => <Apps list={results} />}</Answer>
    </Page>
  );
}

/** From so many on nobody finds one by looking. */
const MANY = 10;

/** A part of the name or the id, in letters of any case. */
const isFoundBy =
  (typed: string) =>
  ({ id, name }: Schemas['App']): boolean =>
    [name, id].some((text) => text.toLowerCase().includes(typed.trim().toLowerCase()));

/** By their names: their ids, which the API sorts by, are drawn by lot. */
function Apps({ list }: { readonly list: readonly Schemas['App'][] }) {
  const { t, language } = useLanguage();
  const [typed, setTyped] = useState('');
  const { compare } = new Intl.Collator(language, { numeric: true });
  const found = list.filter(isFoundBy(typed));
  return (
    <>
      {list.length > MANY && (
        <Group align="flex-end">
          <TextField label={t('findApp')} value={typed} onChange={setTyped} />
          <Text size="sm" role="status">{`${found.length} / ${list.length}`}</Text>
        </Group>
      )}
      <AppRows
        list={[...found].sort((a, b) => compare(a.name, b.name))}
        empty={t(list.length === 0 ? 'none' : 'noSuchApps')}
      />
    </>
  );
}

interface AppRowsProps {
  readonly list: readonly Schemas['App'][];
  /** What is said when there are none. */
  readonly empty: string;
}

function AppRows({ list, empty }: AppRowsProps) {
  const t = useWords();
  return (
    <Grid
      label={t('apps')}
      head={[t('appName'), t('appId'), t('edition'), t('hybrid')]}
      empty={empty}
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

type NewAppForm = Pick<Schemas['App'], 'name' | 'edition' | 'hybrid'>;

function NewApp() {
  const t = useWords();
  const [, go] = useLocation();
  const { form, kept, bind, tie } = useForm<NewAppForm>({ name: '', edition: 'commercial', hybrid: true });
  const creating = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/apps', { body: form })),
    onSuccess: ({ id }) => {
      kept.forget();
      go(`/apps/${id}`);
    },
  });
  return (
    <SendingForm sending={creating} kept={kept} label={t('create')}>
      <TextField label={t('appName')} {...bind(creating)('name')} />
      <ChoiceField label={t('edition')} choices={EDITIONS} {...tie('edition')} />
      <SwitchField label={t('hybrid')} description={t('hybridHelp')} {...tie('hybrid')} />
    </SendingForm>
  );
}
