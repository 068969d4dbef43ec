import { Button, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, errorOf, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { Failure } from '../parts/answer';
import { ChoiceField, SwitchField, TextField } from '../parts/fields';
import { Form } from '../parts/form';
import { Section } from '../parts/page';
import { useWords } from '../words/language';

type StoredApp = Schemas['App'];

export const EDITIONS = ['developer', 'commercial'] as const;
const WAYS = ['truncate', 'reject'] as const;

const LIMITS = ['callsPerMinute', 'deliveriesPerDay'] as const;

type Settings = Pick<StoredApp, 'name' | 'edition' | 'hybrid' | 'clientPush' | 'overlong'>;
type Limits = Readonly<Record<(typeof LIMITS)[number], number>>;

interface SettingsForm {
  readonly settings: Settings;
  readonly limits: Limits;
}

const formOf = ({ name, edition, hybrid, clientPush, overlong, limits }: StoredApp): SettingsForm => ({
  settings: { name, edition, hybrid, clientPush, overlong },
  limits: { callsPerMinute: Number(limits.callsPerMinute), deliveriesPerDay: Number(limits.deliveriesPerDay) },
});

/** What differs from the app: what others change meanwhile stays as they left it. */
const differing = <T extends object>(now: T, before: T): Partial<T> =>
  Object.fromEntries(Object.entries(now).filter(([key, value]) => value !== before[key as keyof T])) as Partial<T>;

export function AppSettings({ app }: { readonly app: StoredApp }) {
  const t = useWords();
  const { may } = useRights();
  const client = useQueryClient();
  const [form, setForm] = useState(() => formOf(app));
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: () => {
      const before = formOf(app);
      const limits = differing(form.limits, before.limits);
      const body = { ...differing(form.settings, before.settings), limits };
      return ask(api.PATCH('/api/v1/apps/{id}', { params: { path: { id: app.id } }, body }));
    },
    onSuccess: (after) => {
      client.setQueryData(['app', app.id], after);
      void client.invalidateQueries({ queryKey: ['apps'] });
    },
  });
  return (
    <Section title={t('settings')}>
      <Form onSubmit={() => mutate()}>
        <fieldset disabled={!may('operator')} className="plain">
          <Stack maw={520}>
            <SettingInputs
              value={form.settings}
              error={error}
              onChange={(settings) => setForm({ ...form, settings })}
            />
            <LimitInputs value={form.limits} error={error} onChange={(limits) => setForm({ ...form, limits })} />
            <Failure error={error} />
            {may('operator') && (
              <Button type="submit" loading={isPending} w="fit-content">
                {t('save')}
              </Button>
            )}
            <Text role="status" size="sm">
              {isSuccess ? t('saved') : ''}
            </Text>
          </Stack>
        </fieldset>
      </Form>
    </Section>
  );
}

interface InputsProps<T> {
  readonly value: T;
  readonly error: unknown;
  readonly onChange: (value: T) => void;
}

function SettingInputs({ value, error, onChange }: InputsProps<Settings>) {
  const t = useWords();
  return (
    <>
      <TextField
        label={t('appName')}
        value={value.name}
        error={errorOf(error)?.at('name')}
        onChange={(name) => onChange({ ...value, name })}
      />
      <ChoiceField
        label={t('edition')}
        choices={EDITIONS}
        value={value.edition}
        onChange={(edition) => onChange({ ...value, edition })}
      />
      {(['hybrid', 'clientPush'] as const).map((name) => (
        <SwitchField
          key={name}
          label={t(name)}
          description={t(`${name}Help`)}
          value={value[name]}
          onChange={(isOn) => onChange({ ...value, [name]: isOn })}
        />
      ))}
      <ChoiceField
        label={t('overlong')}
        choices={WAYS}
        value={value.overlong}
        onChange={(overlong) => onChange({ ...value, overlong })}
      />
    </>
  );
}

function LimitInputs({ value, error, onChange }: InputsProps<Limits>) {
  const t = useWords();
  return LIMITS.map((limit) => (
    <NumberInput
      key={limit}
      label={t(limit)}
      hideControls
      allowDecimal={false}
      min={0}
      value={value[limit]}
      error={errorOf(error)?.at(`limits.${limit}`)}
      onChange={(next) => onChange({ ...value, [limit]: Number(next) })}
    />
  ));
}
