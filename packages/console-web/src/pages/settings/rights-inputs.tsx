import { errorOf } from '../../api/client';
import { ALL_ROLES, type Caller } from '../../api/session';
import { ChoiceField, TextField, type Field } from '../../parts/fields';
import { useWords } from '../../words/language';

/** As a form holds them: apps are ids with commas between. */
export interface RightsForm {
  readonly role: Caller['role'];
  readonly apps: string;
}

/** As little as a role can have; of all apps. */
export const NO_RIGHTS: RightsForm = { role: 'viewer', apps: '' };

export const appsOf = ({ apps }: RightsForm): Caller['apps'] =>
  apps.trim() === '' ? 'all' : apps.split(',').map((id) => id.trim());

export const formOf = ({ role, apps }: Pick<Caller, 'role' | 'apps'>): RightsForm => ({
  ...{ role, apps: apps === 'all' ? '' : apps.join(', ') },
});

type Props = Pick<Field<RightsForm>, 'value' | 'onChange'> & { readonly error: unknown };

export function RightsInputs({ value, error, onChange }: Props) {
  const t = useWords();
  return (
    <>
      <ChoiceField
        label={t('role')}
        choices={ALL_ROLES}
        value={value.role}
        onChange={(role) => onChange({ ...value, role })}
      />
      <TextField
        label={t('appsOf')}
        description={t('appsHelp')}
        value={value.apps}
        error={errorOf(error)?.at('apps')}
        onChange={(apps) => onChange({ ...value, apps })}
      />
    </>
  );
}
