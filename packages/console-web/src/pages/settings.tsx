import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, ask } from '../api/client';
import { SESSION, useRights } from '../api/session';
import { Failure } from '../parts/answer';
import { NewPasswordField, PasswordField } from '../parts/fields';
import { Form } from '../parts/form';
import { KeptNote } from '../parts/kept-note';
import { Page, Section } from '../parts/page';
import { FormName, useForm } from '../parts/use-form';
import { useWords } from '../words/language';
import { ApiTokens } from './settings/api-tokens';
import { People } from './settings/people';
import { AppsShown } from './settings/rights-inputs';

export function SettingsPage() {
  const t = useWords();
  const { caller, may } = useRights();
  return (
    <Page title={t('settings')}>
      <Section title={t('yourself')}>
        <Text className="words">
          {t('you')}: {caller.by} · {t(caller.role)} · <AppsShown apps={caller.apps} />
        </Text>
        {caller.person !== undefined && (
          <FormName value="own password">
            <Yourself name={caller.person} />
          </FormName>
        )}
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
  const { form, kept, bind } = useForm({ current: '', password: '' }, ['current', 'password']);
  const onSuccess = () => client.invalidateQueries({ queryKey: SESSION });
  const change = useMutation({
    mutationFn: () => ask(api.PUT('/api/v1/people/{name}/password', { params, body: form })),
    onSuccess: () => {
      kept.forget();
      return onSuccess();
    },
  });
  const everywhere = useMutation({
    mutationFn: () => ask(api.DELETE('/api/v1/people/{name}/sessions', { params })),
    onSuccess,
  });
  const text = bind(change);
  return (
    <Form onSubmit={() => change.mutate()}>
      <Stack maw={420}>
        <KeptNote kept={kept} />
        <PasswordField label={t('currentPassword')} autoComplete="current-password" {...text('current')} />
        <NewPasswordField label={t('newPassword')} {...text('password')} />
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
