import { errorOf } from '../../api/client';
import { ALL_ROLES, type Caller } from '../../api/session';
import { ChoiceField, SwitchField, TextField, type Field } from '../../parts/fields';
import { useWords } from '../../words/language';
import type { RightsForm } from './rights';

type Props = Pick<Field<RightsForm>, 'value' | 'onChange'> & { readonly error: unknown };

/** Whoever types an id means that app and no longer all of them. */
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
      <SwitchField label={t('allApps')} value={value.isAll} onChange={(isAll) => onChange({ ...value, isAll })} />
      <TextField
        label={t('appsOf')}
        description={t('appsHelp')}
        value={value.isAll ? '' : value.apps}
        error={errorOf(error)?.at('apps')}
        onChange={(apps) => onChange({ ...value, isAll: false, apps })}
      />
    </>
  );
}

/** For which apps a role is. */
export function AppsShown({ apps }: Pick<Caller, 'apps'>) {
  const t = useWords();
  return <span className="mono">{apps === 'all' ? t('all') : apps.join(', ') || t('none')}</span>;
}
