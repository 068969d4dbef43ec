import { Select, TextInput } from '@mantine/core';
import { errorOf } from '../../api/client';
import { ALL_ROLES, type Caller } from '../../api/session';
import { useWords } from '../../words/language';

/** As a form holds them: apps are ids with commas between. */
export interface RightsForm {
  readonly role: Caller['role'];
  readonly apps: string;
}

export const appsOf = ({ apps }: RightsForm): Caller['apps'] =>
  apps.trim() === '' ? 'all' : apps.split(',').map((id) => id.trim());

export const formOf = ({ role, apps }: Pick<Caller, 'role' | 'apps'>): RightsForm => ({
  ...{ role, apps: apps === 'all' ? '' : apps.join(', ') },
});

interface Props {
  readonly value: RightsForm;
  readonly error: unknown;
  readonly onChange: (value: RightsForm) => void;
}

export function RightsInputs({ value, error, onChange }: Props) {
  const t = useWords();
  return (
    <>
      <Select
        label={t('role')}
        value={value.role}
        allowDeselect={false}
        data={ALL_ROLES.map((role) => ({ value: role, label: t(role) }))}
        onChange={(chosen) => onChange({ ...value, role: ALL_ROLES.find((role) => role === chosen) ?? 'viewer' })}
      />
      <TextInput
        label={t('appsOf')}
        description={t('appsHelp')}
        value={value.apps}
        error={errorOf(error)?.at('apps')}
        onChange={(event) => onChange({ ...value, apps: event.currentTarget.value })}
      />
    </>
  );
}
