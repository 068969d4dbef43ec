import { useState } from 'react';
import { errorOf } from '../api/client';
import { bindTexts } from './bind-texts';

/** What is typed into a form; `bind` ties its texts to their fields, with what the API has against what was sent. */
export function useForm<Form extends object>(start: Form) {
  const [form, setForm] = useState(start);
  const change = (part: Partial<Form>): void => setForm({ ...form, ...part });
  const bind = (sending: { readonly error: unknown }) =>
    bindTexts(form, change, (path) => errorOf(sending.error)?.at(path));
  return { form, change, bind };
}
