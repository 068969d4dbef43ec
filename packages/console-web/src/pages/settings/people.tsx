import { Group } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, ask, type Schemas } from '../../api/client';
import { useChange } from '../../api/use-change';
import { Answer } from '../../parts/answer';
import { Confirm } from '../../parts/confirm';
import { Dialog } from '../../parts/dialog';
import { NewPasswordField, TextField } from '../../parts/fields';
import { SendingForm } from '../../parts/form';
import { Grid } from '../../parts/grid';
import { Section } from '../../parts/page';
import { useForm } from '../../parts/use-form';
import { useWords } from '../../words/language';
import { changesOf, editsOf, formOf, NO_RIGHTS, rightsOf, type RightsEdits } from './rights';
import { AppsShown, RightsInputs } from './rights-inputs';

type Person = Schemas['Person'];

const PEOPLE = ['people'];

export function People() {
  const t = useWords();
  const query = useQuery({ queryKey: PEOPLE, queryFn: () => ask(api.GET('/api/v1/people')) });
  return (
    <Section
      title={t('people')}
      actions={<Dialog label={t('newPerson')} keepAs="new person" form={(close) => <NewPerson onDone={close} />} />}
    >
      <Answer query={query}>
        {({ results }) => (
          <Grid
            label={t('people')}
            head={[t('name'), t('role'), t('appsOf'), t('change')]}
            empty={t('none')}
            rows={results.map((person) => ({
              key: person.name,
              cells: [person.name, t(person.role), <AppsShown apps={person.apps} />, <Actions person={person} />],
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
      <Dialog
        label={t('change')}
        about={person.name}
        variant="default"
        keepAs={`rights of ${person.name}`}
        form={(close) => <ChangePerson person={person} onDone={close} />}
      />
      <Confirm
        label={t('remove')}
        about={person.name}
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
  const { form, kept, change, bind } = useForm({ name: '', password: '', ...NO_RIGHTS }, ['password']);
  const { name, password } = form;
  const body = { name, password, ...rightsOf(form) };
  const creating = useMutation({
    mutationFn: () => changed(ask(api.POST('/api/v1/people', { body }))),
    onSuccess: onDone,
  });
  const text = bind(creating);
  return (
    <SendingForm sending={creating} kept={kept} label={t('create')}>
      <TextField label={t('name')} autoComplete="off" {...text('name')} />
      <NewPasswordField label={t('password')} {...text('password')} />
      <RightsInputs value={form} error={creating.error} onChange={change} />
    </SendingForm>
  );
}

const NO_EDITS: { readonly rights: RightsEdits } = { rights: {} };

/** Only what was edited is sent: the rest is shown as it is now, and stays as others leave it. */
function ChangePerson({ person, onDone }: PersonFormProps & { readonly person: Person }) {
  const t = useWords();
  const changed = useChange(PEOPLE);
  const { form, kept, change } = useForm(NO_EDITS);
  const saved = formOf(person);
  const params = { path: { name: person.name } };
  const body = changesOf(form.rights, saved);
  const saving = useMutation({
    mutationFn: () => changed(ask(api.PATCH('/api/v1/people/{name}', { params, body }))),
    onSuccess: onDone,
  });
  return (
    <SendingForm sending={saving} kept={kept} label={t('save')}>
      <RightsInputs
        value={{ ...saved, ...form.rights }}
        error={saving.error}
        onChange={(chosen) => change({ rights: editsOf(chosen, saved) })}
      />
    </SendingForm>
  );
}
