import { createContext, useContext } from 'react';
import { errorOf } from '../api/client';
import { bindTexts } from './bind-texts';
import { useKept } from './use-kept';

/** Under which name a form is kept. */
export const FormName = createContext<string | undefined>(undefined);

/**
 * What is typed into a form, kept until it is saved or given up; `bind` ties its texts to their fields, with what the API has
 * against what was sent, and `tie` whatever is chosen.
 */
export function useForm<Form extends object>(start: Form, secrets?: readonly string[]) {
  const name = useContext(FormName);
  if (name === undefined) throw new Error('a form has no name to be kept by');
  const kept = useKept(name, start, secrets);
  const bind = (sending: { readonly error: unknown }) =>
    bindTexts(kept.form, kept.change, (path) => errorOf(sending.error)?.at(path));
  const tie = <Name extends keyof Form>(field: Name) => ({
    value: kept.form[field],
    onChange: (value: Form[Name]) => kept.change({ [field]: value } as unknown as Partial<Form>),
  });
  return { kept, form: kept.form, change: kept.change, bind, tie };
}
