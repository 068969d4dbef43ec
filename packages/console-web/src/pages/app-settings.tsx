import { Button, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, ask, errorOf, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { Failure } from '../parts/answer';
import { ChoiceField, NumberField, SwitchField, TextField } from '../parts/fields';
import { Form } from '../parts/form';
import { KeptNote } from '../parts/kept-note';
import { differing } from '../parts/differing';
import { Section } from '../parts/page';
import { useKept } from '../parts/use-kept';
import { useWords } from '../words/language';

type StoredApp = Schemas['App'];

export const EDITIONS = ['developer', 'commercial'] as const;
const WAYS = ['truncate', 'reject'] as const;

const LIMITS = ['callsPerMinute', 'deliveriesPerDay'] as const;

type Settings = Pick<StoredApp, 'name' | 'edition' | 'hybrid' | 'clientPush' | 'overlong'>;
type Limits = Readonly<Record<(typeof LIMITS)[number], number>>;

/** What somebody chose and has not saved; a limit whose field is empty is undefined. */
interface Edits {
  readonly settings: Partial<Settings>;
  readonly limits: { readonly [limit in keyof Limits]?: number | undefined };
}

const NO_EDITS: Edits = { settings: {}, limits: {} };

const formOf = ({ name, edition, hybrid, clientPush, overlong, limits }: StoredApp) => ({
  settings: { name, edition, hybrid, clientPush, overlong },
  limits: { callsPerMinute: Number(limits.callsPerMinute), deliveriesPerDay: Number(limits.deliveriesPerDay) },
});

/** What is in the first and not, or otherwise, in the second. */
const without = (edits: Edits, those: Edits): Edits => ({
  settings: differing(edits.settings, those.settings),
  limits: differing(edits.limits, those.limits),
});

/** Only what was edited is sent: everything else is shown as it is now, and stays as others leave it. */
export function AppSettings({ app }: { readonly app: StoredApp }) {
  const t = useWords();
  const { may } = useRights();
  const client = useQueryClient();
  const { form: edits, change, ...kept } = useKept(`settings of ${app.id}`, NO_EDITS);
  const saved = formOf(app);
  const edit = (next: Edits): void => change(without(next, saved));
  const { mutate, isPending, error, isSuccess } = useMutation({
    mutationFn: ({ settings, limits }: Edits) => {
      const body = { ...settings, limits: limits as Partial<Limits> };
      return ask(api.PATCH('/api/v1/apps/{id}', { params: { path: { id: app.id } }, body }));
    },
    onSuccess: (after, sent) => {
      change((now) => without(now, sent));
      client.setQueryData(['app', app.id], after);
      void client.invalidateQueries({ queryKey: ['apps'] });
    },
  });
  return (
    <Section title={t('settings')}>
      <Form onSubmit={() => mutate(edits)}>
        <fieldset disabled={!may('operator')} className="plain">
          <Stack maw={520}>
            <KeptNote kept={kept} />
            <SettingInputs
              value={{ ...saved.settings, ...edits.settings }}
              error={error}
              onChange={(settings) => edit({ ...edits, settings })}
            />
            <LimitInputs
              value={{ ...saved.limits, ...edits.limits }}
              error={error}
              onChange={(limits) => edit({ ...edits, limits })}
            />
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

function LimitInputs({ value, error, onChange }: InputsProps<Edits['limits']>) {
  const t = useWords();
  return LIMITS.map((limit) => (
    <NumberField
      key={limit}
      label={t(limit)}
      value={value[limit]}
      error={errorOf(error)?.at(`limits.${limit}`)}
      onChange={(next) => onChange({ ...value, [limit]: next })}
    />
  ));
}
