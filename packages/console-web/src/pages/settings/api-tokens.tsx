import { Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api, ask, errorOf } from '../../api/client';
import { useChange } from '../../api/use-change';
import { Answer } from '../../parts/answer';
import { Confirm } from '../../parts/confirm';
import { Copyable } from '../../parts/copyable';
import { Dialog } from '../../parts/dialog';
import { NumberField, TextField } from '../../parts/fields';
import { SendingForm } from '../../parts/form';
import { Grid } from '../../parts/grid';
import { Moment } from '../../parts/moment';
import { Section } from '../../parts/page';
import { useForm } from '../../parts/use-form';
import { useWords } from '../../words/language';
import { NO_RIGHTS, rightsOf, type RightsForm } from './rights';
import { AppsShown, RightsInputs } from './rights-inputs';

const TOKENS = ['api-tokens'];

export function ApiTokens() {
  const t = useWords();
  const changed = useChange(TOKENS);
  const query = useQuery({ queryKey: TOKENS, queryFn: () => ask(api.GET('/api/v1/api-tokens')) });
  const remove = (tokenId: string) =>
    changed(ask(api.DELETE('/api/v1/api-tokens/{tokenId}', { params: { path: { tokenId } } })));
  return (
    <Section
      title={t('apiTokens')}
      actions={<Dialog label={t('newToken')} keepAs="new API token" form={() => <NewToken />} />}
    >
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
                <AppsShown apps={apps} />,
                isExpired ? t('expired') : <Moment at={expiresAt} />,
                <Confirm
                  label={t('remove')}
                  about={name}
                  question={t('deleteTokenAsk')}
                  color="red"
                  onConfirm={() => remove(id)}
                />,
              ],
            }))}
          />
        )}
      </Answer>
    </Section>
  );
}

interface TokenForm extends RightsForm {
  readonly name: string;
  /** Undefined while its field is empty. */
  readonly days: number | undefined;
}

const USUAL_DAYS = 90;
const EMPTY: TokenForm = { name: '', days: USUAL_DAYS, ...NO_RIGHTS };

function NewToken() {
  const t = useWords();
  const changed = useChange(TOKENS);
  const { form, kept, change, bind } = useForm(EMPTY);
  const { name, days } = form;
  const body = { name, days: days ?? USUAL_DAYS, ...rightsOf(form) };
  const creating = useMutation({
    mutationFn: () => changed(ask(api.POST('/api/v1/api-tokens', { body }))),
    onSuccess: kept.forget,
  });
  if (creating.data)
    return (
      <Stack role="status">
        <Text>{t('tokenOnce')}</Text>
        <Copyable text={creating.data.token} />
      </Stack>
    );
  return (
    <SendingForm sending={creating} kept={kept} label={t('create')}>
      <TextField label={t('tokenName')} {...bind(creating)('name')} />
      <RightsInputs value={form} error={creating.error} onChange={change} />
      <NumberField
        label={t('days')}
        value={days}
        error={errorOf(creating.error)?.at('days')}
        onChange={(next) => change({ days: next })}
      />
    </SendingForm>
  );
}
