import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { api, ask } from '../api/client';
import { useChange } from '../api/use-change';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { SendingForm } from '../parts/form';
import { Grid } from '../parts/grid';
import { LookUp } from '../parts/look-up';
import { LongList } from '../parts/long-list';
import { Page, Section } from '../parts/page';
import { useForm } from '../parts/use-form';
import { useWords } from '../words/language';
import { CREATE, useNew } from './users/use-new';

const USERS = ['users'];
const CLIENTS = ['clients'];

const pathOf = (userId: string): string => `/users/${encodeURIComponent(userId)}`;

/** Who may be asked about by the user information API, and by whom. */
export function UsersPage() {
  const t = useWords();
  return (
    <Page title={t('users')}>
      <LookUp label={t('userId')} keepAs="user" pathOf={pathOf} />
      <Users />
      <Clients />
    </Page>
  );
}

function Users() {
  const t = useWords();
  return (
    <Section
      title={t('users')}
      actions={<Dialog label={t('newUser')} keepAs="new user" form={(close) => <NewUser onDone={close} />} />}
    >
      <LongList queryKey={USERS} read={(query) => ask(api.GET('/api/v1/users', { params: { query } }))}>
        {(list) => (
          <Grid
            label={t('users')}
            head={[t('userId'), t('calledName')]}
            empty={t('none')}
            rows={list.map(({ user_id: userId, name }) => ({
              key: userId,
              cells: [
                <Anchor component={Link} href={pathOf(userId)} className="mono">
                  {userId}
                </Anchor>,
                <span className="words">{name}</span>,
              ],
            }))}
          />
        )}
      </LongList>
    </Section>
  );
}

function NewUser({ onDone }: { readonly onDone: () => void }) {
  const t = useWords();
  const { form, kept, bind } = useForm({ userId: '', name: '' });
  const params = { path: { userId: form.userId.trim() }, query: CREATE };
  const body = { name: form.name, avatar: '', gender: 0, is_guest: false } as const;
  const creating = useNew({
    queryKey: USERS,
    onDone,
    save: () => ask(api.PUT('/api/v1/users/{userId}', { params, body })),
  });
  const text = bind(creating);
  return (
    <SendingForm sending={creating} kept={kept} label={t('save')}>
      <TextField label={t('userId')} {...text('userId')} />
      <TextField label={t('calledName')} {...text('name')} />
    </SendingForm>
  );
}

function Clients() {
  const t = useWords();
  const changed = useChange(CLIENTS);
  const remove = (clientId: string) =>
    changed(ask(api.DELETE('/api/v1/clients/{clientId}', { params: { path: { clientId } } })));
  return (
    <Section
      title={t('clients')}
      actions={<Dialog label={t('newClient')} keepAs="new client" form={(close) => <NewClient onDone={close} />} />}
    >
      <LongList queryKey={CLIENTS} read={(query) => ask(api.GET('/api/v1/clients', { params: { query } }))}>
        {(list) => (
          <Grid
            label={t('clients')}
            head={[t('clientId'), t('calledName'), t('developerId'), t('change')]}
            empty={t('none')}
            rows={list.map(({ client_id: clientId, name, developer_id: developer }) => ({
              key: clientId,
              cells: [
                <span className="mono">{clientId}</span>,
                <span className="words">{name}</span>,
                <span className="mono">{developer}</span>,
                <Confirm
                  label={t('remove')}
                  question={t('deleteClientAsk')}
                  typed={clientId}
                  color="red"
                  onConfirm={() => remove(clientId)}
                />,
              ],
            }))}
          />
        )}
      </LongList>
    </Section>
  );
}

function NewClient({ onDone }: { readonly onDone: () => void }) {
  const t = useWords();
  const { form, kept, bind } = useForm({ clientId: '', name: '', developer: '' });
  const [clientId, developer] = [form.clientId.trim(), form.developer.trim()];
  const params = { path: { clientId }, query: CREATE };
  const body = { name: form.name, ...(developer === '' ? {} : { developer_id: developer }) };
  const creating = useNew({
    queryKey: CLIENTS,
    onDone,
    save: () => ask(api.PUT('/api/v1/clients/{clientId}', { params, body })),
  });
  const text = bind(creating);
  return (
    <SendingForm sending={creating} kept={kept} label={t('save')}>
      <TextField label={t('clientId')} {...text('clientId')} />
      <TextField label={t('calledName')} {...text('name')} />
      <TextField
        label={`${t('developerId')} (${t('optional')})`}
        description={t('developerHelp')}
        {...text('developer', 'developer_id')}
      />
    </SendingForm>
  );
}
