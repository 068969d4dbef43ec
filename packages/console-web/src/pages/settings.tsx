import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, errorOf } from '../api/client';
import { SESSION, useRights } from '../api/session';
import { Failure } from '../parts/answer';
import { PasswordField } from '../parts/fields';
import { Form } from '../parts/form';
import { Page, Section } from '../parts/page';
import { useWords } from '../words/language';
import { ApiTokens } from './settings/api-tokens';
import { People } from './settings/people';

export function SettingsPage() {
  const t = useWords();
  const { caller, may } = useRights();
  return (
    <Page title={t('settings')}>
      <Section title={t('yourself')}>
        <Text className="words">
          {t('you')}: {caller.by} · {t(caller.role)} · {caller.apps === 'all' ? t('all') : caller.apps.join(', ')}
        </Text>
        {caller.person !== undefined && <Yourself name={caller.person} />}
        {caller.subject !== undefined && <Elsewhere subject={caller.subject} />}
      </Section>
      {may('owner', 'fleet') && (
        <>
          <People />
          <ApiTokens />
        </>
      )}
    </Page>
  );
}

/** Who signed in at a provider has no password here. */
function Elsewhere({ subject }: { readonly subject: string }) {
  const t = useWords();
  const client = useQueryClient();
  const everywhere = useMutation({
    mutationFn: () => ask(api.DELETE('/api/v1/single-sign-on/{subject}/sessions', { params: { path: { subject } } })),
    onSuccess: () => client.invalidateQueries({ queryKey: SESSION }),
  });
  return (
    <Stack align="flex-start">
      <Failure error={everywhere.error} />
      <Button variant="default" loading={everywhere.isPending} onClick={() => everywhere.mutate()}>
        {t('signOutEverywhere')}
      </Button>
    </Stack>
  );
}

function Yourself({ name }: { readonly name: string }) {
  const t = useWords();
  const client = useQueryClient();
  const params = { path: { name } };
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const onSuccess = () => client.invalidateQueries({ queryKey: SESSION });
  const change = useMutation({
    mutationFn: () => ask(api.PUT('/api/v1/people/{name}/password', { params, body: { current, password } })),
    onSuccess: () => {
      setCurrent('');
      setPassword('');
      return onSuccess();
    },
  });
  const everywhere = useMutation({
    mutationFn: () => ask(api.DELETE('/api/v1/people/{name}/sessions', { params })),
    onSuccess,
  });
  return (
    <Form onSubmit={() => change.mutate()}>
      <Stack maw={420}>
        <PasswordField
          label={t('currentPassword')}
          autoComplete="current-password"
          value={current}
          error={errorOf(change.error)?.at('current')}
          onChange={setCurrent}
        />
        <PasswordField
          label={t('newPassword')}
          description={t('passwordHelp')}
          autoComplete="new-password"
          value={password}
          error={errorOf(change.error)?.at('password')}
          onChange={setPassword}
        />
        <Failure error={change.error ?? everywhere.error} />
        <Text role="status" size="sm">
          {change.isSuccess ? t('saved') : ''}
        </Text>
        <Group>
          <Button type="submit" loading={change.isPending}>
            {t('changePassword')}
          </Button>
          <Button variant="default" loading={everywhere.isPending} onClick={() => everywhere.mutate()}>
            {t('signOutEverywhere')}
          </Button>
        </Group>
      </Stack>
    </Form>
  );
}
