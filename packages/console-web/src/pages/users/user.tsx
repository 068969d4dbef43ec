import { Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { api, ask } from '../../api/client';
import { useChange } from '../../api/use-change';
import { Answer } from '../../parts/answer';
import { Confirm } from '../../parts/confirm';
import { Copyable } from '../../parts/copyable';
import { Dialog } from '../../parts/dialog';
import { SwitchField, TextField } from '../../parts/fields';
import { SendingForm } from '../../parts/form';
import { Grid } from '../../parts/grid';
import { LongList } from '../../parts/long-list';
import { Page, Section } from '../../parts/page';
import { useForm } from '../../parts/use-form';
import { useWords } from '../../words/language';

interface OfUser {
  readonly userId: string;
}

const keyOf = (userId: string): readonly string[] => ['user', userId];
const tokensOf = (userId: string): readonly string[] => ['user', userId, 'tokens'];

export function UserPage({ userId }: OfUser) {
  const query = useQuery({
    queryKey: keyOf(userId),
    queryFn: () => ask(api.GET('/api/v1/users/{userId}', { params: { path: { userId } } })),
  });
  return (
    <Page title={userId}>
      <Answer query={query}>
        {({ name, blocked_clients: blocked }) => (
          <>
            <Text className="words">{name}</Text>
            <Tokens userId={userId} />
            <Blocks userId={userId} blocked={blocked} />
            <Endings userId={userId} />
          </>
        )}
      </Answer>
    </Page>
  );
}

function Tokens({ userId }: OfUser) {
  const t = useWords();
  const changed = useChange(tokensOf(userId));
  const path = { userId };
  const revoke = (clientId: string) =>
    changed(ask(api.DELETE('/api/v1/users/{userId}/tokens/{clientId}', { params: { path: { userId, clientId } } })));
  return (
    <Section
      title={t('userTokens')}
      actions={
        <Dialog label={t('issueToken')} keepAs={`token of ${userId}`} form={() => <NewToken userId={userId} />} />
      }
    >
      <LongList
        queryKey={tokensOf(userId)}
        read={(query) => ask(api.GET('/api/v1/users/{userId}/tokens', { params: { path, query } }))}
      >
        {(list) => (
          <Grid
            label={t('userTokens')}
            head={['id', t('clientId'), t('algorithm'), t('scope'), t('change')]}
            empty={t('none')}
            rows={list.map(({ id, client_id: clientId, mac_algorithm: algorithm, scope }) => ({
              key: id,
              cells: [
                <span className="mono">{id}</span>,
                <span className="mono">{clientId}</span>,
                ...[algorithm, scope],
                <Confirm
                  label={t('revoke')}
                  question={t('revokeAsk')}
                  color="red"
                  onConfirm={() => revoke(clientId)}
                />,
              ],
            }))}
          />
        )}
      </LongList>
    </Section>
  );
}

function NewToken({ userId }: OfUser) {
  const t = useWords();
  const changed = useChange(tokensOf(userId));
  const { form, kept, change, bind } = useForm({ clientId: '', scope: '', isLong: true });
  const [clientId, scope] = [form.clientId.trim(), form.scope.trim()];
  const params = { path: { userId, clientId } };
  const mac = form.isLong ? ('hmac-sha-256' as const) : ('hmac-sha-1' as const);
  const body = { mac_algorithm: mac, ...(scope === '' ? {} : { scope }) };
  const issuing = useMutation({
    mutationFn: () => changed(ask(api.POST('/api/v1/users/{userId}/tokens/{clientId}', { params, body }))),
    onSuccess: kept.forget,
  });
  if (issuing.data)
    return (
      <Stack role="status">
        <Text>{t('tokenOnce')}</Text>
        <Text size="sm">access_token</Text>
        <Copyable text={issuing.data.access_token} />
        <Text size="sm">mac_key</Text>
        <Copyable text={issuing.data.mac_key} />
      </Stack>
    );
  const text = bind(issuing);
  return (
    <SendingForm sending={issuing} kept={kept} label={t('issueToken')}>
      <TextField label={t('clientId')} {...text('clientId')} />
      <TextField label={`${t('scope')} (${t('optional')})`} {...text('scope')} />
      <SwitchField
        label="HMAC-SHA-256"
        description={t('algorithmHelp')}
        value={form.isLong}
        onChange={(isLong) => change({ isLong })}
      />
    </SendingForm>
  );
}

function Blocks({ userId, blocked }: OfUser & { readonly blocked: readonly string[] }) {
  const t = useWords();
  const changed = useChange(keyOf(userId));
  const unblock = (clientId: string) =>
    changed(ask(api.DELETE('/api/v1/users/{userId}/blocks/{clientId}', { params: { path: { userId, clientId } } })));
  const form = (close: () => void) => <NewBlock userId={userId} onDone={close} />;
  const add = <Dialog label={t('block')} keepAs={`block of ${userId}`} form={form} />;
  return (
    <Section title={t('blocks')} actions={add}>
      <Grid
        label={t('blocks')}
        head={[t('clientId'), t('change')]}
        empty={t('none')}
        rows={blocked.map((clientId) => ({
          key: clientId,
          cells: [
            <span className="mono">{clientId}</span>,
            <Confirm
              label={t('unblock')}
              about={clientId}
              question={t('unblockAsk')}
              onConfirm={() => unblock(clientId)}
            />,
          ],
        }))}
      />
    </Section>
  );
}

function NewBlock({ userId, onDone }: OfUser & { readonly onDone: () => void }) {
  const t = useWords();
  const changed = useChange(keyOf(userId));
  const { form, kept, bind } = useForm({ clientId: '' });
  const params = { path: { userId, clientId: form.clientId.trim() } };
  const blocking = useMutation({
    mutationFn: () => changed(ask(api.PUT('/api/v1/users/{userId}/blocks/{clientId}', { params }))),
    onSuccess: onDone,
  });
  return (
    <SendingForm sending={blocking} kept={kept} label={t('block')}>
      <Text>{t('blockAsk')}</Text>
      <TextField label={t('clientId')} {...bind(blocking)('clientId')} />
    </SendingForm>
  );
}

/** What ends every token of a user. */
function Endings({ userId }: OfUser) {
  const t = useWords();
  const [, go] = useLocation();
  const ended = useChange(tokensOf(userId));
  const changed = useChange(['users']);
  const [isEnded, setEnded] = useState(false);
  const params = { path: { userId } };
  const endTokens = async (): Promise<void> => {
    await ended(ask(api.POST('/api/v1/users/{userId}/security-change', { params })));
    setEnded(true);
  };
  const remove = async (): Promise<void> => {
    await changed(ask(api.DELETE('/api/v1/users/{userId}', { params })));
    go('/users');
  };
  return (
    <Group>
      <Confirm label={t('securityChange')} question={t('securityChangeAsk')} color="red" onConfirm={endTokens} />
      <Confirm label={t('deleteUser')} question={t('deleteUserAsk')} typed={userId} color="red" onConfirm={remove} />
      <Text role="status" size="sm">
        {isEnded ? t('securityChanged') : ''}
      </Text>
    </Group>
  );
}
