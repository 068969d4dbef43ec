import { Alert, Card, Center, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, ask } from '../api/client';
import { useBegin } from '../api/session';
import { PasswordField, TextField } from '../parts/fields';
import { Failure } from '../parts/answer';
import { SendingForm } from '../parts/form';
import { SingleSignOn, takeAnswer } from '../parts/single-sign-on';
import { useWords } from '../words/language';

/** The token of a link of the demo; servers never see a fragment. */
const linkOf = (): string | undefined => /^#link=([\w-]+)$/.exec(location.hash)?.[1];

export function SignInPage() {
  const t = useWords();
  const begin = useBegin();
  const { mutate, error } = useMutation({
    mutationFn: (link: string) => ask(api.POST('/api/v1/session', { body: { link } })),
    onMutate: () => history.replaceState(null, '', '/'),
    onSuccess: begin,
  });
  const bringing = useMutation({
    mutationFn: (oidc: string) => ask(api.POST('/api/v1/session', { body: { oidc } })),
    onSuccess: begin,
  });
  const bring = bringing.mutate;
  useEffect(() => {
    const link = linkOf();
    if (link !== undefined) mutate(link);
    const answer = takeAnswer();
    if (answer !== undefined) bring(answer);
    document.title = `${t('signIn')} · pushfleet`;
  }, [mutate, bring, t]);
  return (
    <Center component="main" mih="90vh" p="md">
      <Card withBorder w="100%" maw={380} padding="lg">
        <Stack>
          <Title order={1} size="h2">
            pushfleet
          </Title>
          {error && <Alert role="alert">{t('linkOver')}</Alert>}
          <Failure error={bringing.error} />
          <SignInForm />
          <SingleSignOn inNewTab={false} />
          <Text size="sm" c="dimmed">
            {t('signInFirst')}
          </Text>
        </Stack>
      </Card>
    </Center>
  );
}

export function SignInForm() {
  const t = useWords();
  const begin = useBegin();
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const signingIn = useMutation({
    mutationFn: () => ask(api.POST('/api/v1/session', { body: { name, password } })),
    onSuccess: begin,
  });
  return (
    <SendingForm sending={signingIn} label={t('signIn')}>
      <TextField label={t('name')} autoComplete="username" value={name} onChange={setName} />
      <PasswordField label={t('password')} autoComplete="current-password" value={password} onChange={setPassword} />
    </SendingForm>
  );
}
