import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, ask, errorOf, type Schemas } from '../../api/client';
import { Answer, Failure } from '../../parts/answer';
import { Confirm } from '../../parts/confirm';
import { Dialog } from '../../parts/dialog';
import { Grid } from '../../parts/grid';
import { Section } from '../../parts/page';
import { useWords } from '../../words/language';
import { appsOf, formOf, RightsInputs, type RightsForm } from './rights-inputs';

type Person = Schemas['Person'];

const PEOPLE = ['people'];

export function People() {
  const t = useWords();
  const query = useQuery({ queryKey: PEOPLE, queryFn: () => ask(api.GET('/api/v1/people')) });
  return (
    <Section
      title={t('people')}
      actions={<Dialog label={t('newPerson')}>{(close) => <NewPerson onDone={close} />}</Dialog>}
    >
      <Answer query={query}>
        {({ results }) => (
          <Grid
            label={t('people')}
            head={[t('name'), t('role'), t('appsOf'), t('change')]}
            empty={t('none')}
            rows={results.map((person) => ({
              key: person.name,
              cells: [
                person.name,
                t(person.role),
                <span className="mono">{person.apps === 'all' ? t('all') : person.apps.join(', ')}</span>,
                <Actions person={person} />,
              ],
            }))}
          />
        )}
      </Answer>
    </Section>
  );
}

function Actions({ person }: { readonly person: Person }) {
  const t = useWords();
  const client = useQueryClient();
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/api/v1/people/{name}', { params: { path: { name: person.name } } }));
    await client.invalidateQueries({ queryKey: PEOPLE });
  };
  return (
    <Group gap="xs" wrap="nowrap">
      <Dialog label={t('change')} variant="default">
        {(close) => <ChangePerson person={person} onDone={close} />}
      </Dialog>
      <Confirm label={t('remove')} question={t('deletePersonAsk')} color="red" onConfirm={remove} />
    </Group>
  );
}

interface FormProps {
  readonly onDone: () => void;
}

function NewPerson({ onDone }: FormProps) {
  const t = useWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [rights, setRights] = useState<RightsForm>({ role: 'viewer', apps: '' });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      ask(api.POST('/api/v1/people', { body: { name, password, role: rights.role, apps: appsOf(rights) } })),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: PEOPLE });
      onDone();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('name')}
          autoComplete="off"
          value={name}
          error={errorOf(error)?.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <PasswordInput
          label={t('password')}
          description={t('passwordHelp')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('show') }}
          value={password}
          error={errorOf(error)?.at('password')}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <RightsInputs value={rights} error={error} onChange={setRights} />
        <Failure error={error} />
        <Button type="submit" loading={isPending}>
          {t('create')}
        </Button>
      </Stack>
    </form>
  );
}

function ChangePerson({ person, onDone }: FormProps & { readonly person: Person }) {
  const t = useWords();
  const client = useQueryClient();
  const [rights, setRights] = useState(formOf(person));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      ask(
        api.PATCH('/api/v1/people/{name}', {
          params: { path: { name: person.name } },
          body: { role: rights.role, apps: appsOf(rights) },
        }),
      ),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: PEOPLE });
      onDone();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <RightsInputs value={rights} error={error} onChange={setRights} />
        <Failure error={error} />
        <Button type="submit" loading={isPending}>
          {t('save')}
        </Button>
      </Stack>
    </form>
  );
}
