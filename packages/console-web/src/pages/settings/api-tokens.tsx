import { Button, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { api, ask, errorOf } from '../../api/client';
import { Answer, Failure } from '../../parts/answer';
import { Confirm } from '../../parts/confirm';
import { Copyable } from '../../parts/copyable';
import { Dialog } from '../../parts/dialog';
import { Grid } from '../../parts/grid';
import { Section } from '../../parts/page';
import { useMoment, useWords } from '../../words/language';
import { appsOf, RightsInputs, type RightsForm } from './rights-inputs';

const TOKENS = ['api-tokens'];

export function ApiTokens() {
  const t = useWords();
  const moment = useMoment();
  const client = useQueryClient();
  const query = useQuery({ queryKey: TOKENS, queryFn: () => ask(api.GET('/api/v1/api-tokens')) });
  const remove = async (tokenId: string): Promise<void> => {
    await ask(api.DELETE('/api/v1/api-tokens/{tokenId}', { params: { path: { tokenId } } }));
    await client.invalidateQueries({ queryKey: TOKENS });
  };
  return (
    <Section title={t('apiTokens')} actions={<Dialog label={t('newToken')}>{() => <NewToken />}</Dialog>}>
      <Answer query={query}>
        {({ results }) => (
          <Grid
            label={t('apiTokens')}
            head={[t('tokenName'), t('role'), t('appsOf'), t('expires'), t('change')]}
            empty={t('none')}
            rows={results.map(({ id, name, role, apps, expiresAt, isExpired }) => ({
              key: id,
              cells: [
                <span className="words">{name}</span>,
                t(role),
                <span className="mono">{apps === 'all' ? t('all') : apps.join(', ')}</span>,
                isExpired ? t('expired') : moment(expiresAt),
                <Confirm label={t('remove')} question={t('deleteTokenAsk')} color="red" onConfirm={() => remove(id)} />,
              ],
            }))}
          />
        )}
      </Answer>
    </Section>
  );
}

const USUAL_DAYS = 90;

function NewToken() {
  const t = useWords();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState(USUAL_DAYS);
  const [rights, setRights] = useState<RightsForm>({ role: 'viewer', apps: '' });
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () =>
      ask(api.POST('/api/v1/api-tokens', { body: { name, days, role: rights.role, apps: appsOf(rights) } })),
    onSuccess: () => client.invalidateQueries({ queryKey: TOKENS }),
  });
  if (data)
    return (
      <Stack role="status">
        <Text>{t('tokenOnce')}</Text>
        <Copyable text={data.token} />
      </Stack>
    );
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label={t('tokenName')}
          value={name}
          error={errorOf(error)?.at('name')}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RightsInputs value={rights} error={error} onChange={setRights} />
        <NumberInput
          label={t('days')}
          hideControls
          value={days}
          error={errorOf(error)?.at('days')}
          onChange={(value) => setDays(Number(value))}
        />
        <Failure error={error} />
        <Button type="submit" loading={isPending}>
          {t('create')}
        </Button>
      </Stack>
    </form>
  );
}
