import { Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, errorOf, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { Answer } from '../../parts/answer';
import { Confirm } from '../../parts/confirm';
import { Dialog } from '../../parts/dialog';
import { PasswordField, TextField } from '../../parts/fields';
import { SendingForm } from '../../parts/form';
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
  const changed = useChange(PEOPLE);
  const params = { path: { name: person.name } };
  return (
    <Group gap="xs" wrap="nowrap">
      <Dialog label={t('change')} variant="default">
        {(close) => <ChangePerson person={person} onDone={close} />}
      </Dialog>
      <Confirm
        label={t('remove')}
        question={t('deletePersonAsk')}
        color="red"
        onConfirm={() => changed(ask(api.DELETE('/api/v1/people/{name}', { params })))}
      />
    </Group>
  );
}

interface PersonFormProps {
  readonly onDone: () => void;
}

function NewPerson({ onDone }: PersonFormProps) {
  const t = useWords();
  const changed = useChange(PEOPLE);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [rights, setRights] = useState<RightsForm>({ role: 'viewer', apps: '' });
  const body = { name, password, role: rights.role, apps: appsOf(rights) };
  const creating = useMutation({
    mutationFn: () => changed(ask(api.POST('/api/v1/people', { body }))),
    onSuccess: onDone,
  });
  const error = errorOf(creating.error);
  return (
    <SendingForm sending={creating} label={t('create')}>
      <TextField label={t('name')} autoComplete="off" value={name} error={error?.at('name')} onChange={setName} />
      <PasswordField
        label={t('password')}
        description={t('passwordHelp')}
        autoComplete="new-password"
        value={password}
        error={error?.at('password')}
        onChange={setPassword}
      />
      <RightsInputs value={rights} error={error} onChange={setRights} />
    </SendingForm>
  );
}

function ChangePerson({ person, onDone }: PersonFormProps & { readonly person: Person }) {
  const t = useWords();
  const changed = useChange(PEOPLE);
  const [rights, setRights] = useState(formOf(person));
  const params = { path: { name: person.name } };
  const body = { role: rights.role, apps: appsOf(rights) };
  const saving = useMutation({
    mutationFn: () => changed(ask(api.PATCH('/api/v1/people/{name}', { params, body }))),
    onSuccess: onDone,
  });
  return (
    <SendingForm sending={saving} label={t('save')}>
      <RightsInputs value={rights} error={saving.error} onChange={setRights} />
    </SendingForm>
  );
}
