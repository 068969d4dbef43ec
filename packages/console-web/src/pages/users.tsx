import { Anchor } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api, ApiError, ask, errorOf } from '../api/client';
import { useChange } from '../api/use-change';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { TextField } from '../parts/fields';
import { SendingForm } from '../parts/form';
import { Grid } from '../parts/grid';
import { LookUp } from '../parts/look-up';
import { LongList } from '../parts/long-list';
import { Page, Section } from '../parts/page';
import { useWords } from '../words/language';

const USERS = ['users'];
const CLIENTS = ['clients'];

/** The API saves over what is there: a form for something new has to ask first whether its id is taken. */
async function requireFree(asked: Promise<unknown>, taken: string): Promise<void> {
  const isFree = await asked.then(
    () => false,
    (error: unknown) => {
      if (errorOf(error)?.status === 404) return true;
      throw error;
    },
  );
  if (!isFree) throw new ApiError(409, taken, []);
}

const pathOf = (userId: string): string => `/users/${encodeURIComponent(userId)}`;

/** Who may be asked about by the user information API, and by whom. */
export function UsersPage() {
  const t = useWords();
  return (
    <Page title={t('users')}>
      <LookUp label={t('userId')} pathOf={pathOf} />
      <Users />
      <Clients />
    </Page>
  );
}

function Users() {
  const t = useWords();
  return (
    <Section title={t('users')} actions={<Dialog label={t('newUser')}>{(close) => <NewUser onDone={close} />}</Dialog>}>
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
  const changed = useChange(USERS);
  const [userId, setUserId] = useState('');
  const [name, setName] = useState('');
  const params = { path: { userId: userId.trim() } };
  const body = { name, avatar: '', gender: 0, is_guest: false } as const;
  const creating = useMutation({
    mutationFn: async () => {
      if (params.path.userId !== '')
        await requireFree(ask(api.GET('/api/v1/users/{userId}', { params })), t('userTaken'));
      return changed(ask(api.PUT('/api/v1/users/{userId}', { params, body })));
    },
    onSuccess: onDone,
  });
  const error = errorOf(creating.error);
  return (
    <SendingForm sending={creating} label={t('save')}>
      <TextField label={t('userId')} value={userId} error={error?.at('userId')} onChange={setUserId} />
      <TextField label={t('calledName')} value={name} error={error?.at('name')} onChange={setName} />
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
      actions={<Dialog label={t('newClient')}>{(close) => <NewClient onDone={close} />}</Dialog>}
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
  const changed = useChange(CLIENTS);
  const [form, setForm] = useState({ clientId: '', name: '', developer: '' });
  const params = { path: { clientId: form.clientId.trim() } };
  const developer = form.developer.trim();
  const body = { name: form.name, ...(developer === '' ? {} : { developer_id: developer }) };
  const creating = useMutation({
    mutationFn: async () => {
      if (params.path.clientId !== '')
        await requireFree(ask(api.GET('/api/v1/clients/{clientId}', { params })), t('clientTaken'));
      return changed(ask(api.PUT('/api/v1/clients/{clientId}', { params, body })));
    },
    onSuccess: onDone,
  });
  const error = errorOf(creating.error);
  return (
    <SendingForm sending={creating} label={t('save')}>
      <TextField
        label={t('clientId')}
        value={form.clientId}
        error={error?.at('clientId')}
        onChange={(clientId) => setForm({ ...form, clientId })}
      />
      <TextField
        label={t('calledName')}
        value={form.name}
        error={error?.at('name')}
        onChange={(name) => setForm({ ...form, name })}
      />
      <TextField
        label={`${t('developerId')} (${t('optional')})`}
        description={t('developerHelp')}
        value={form.developer}
        error={error?.at('developer_id')}
        onChange={(next) => setForm({ ...form, developer: next })}
      />
    </SendingForm>
  );
}
