import { useCallback, useEffect, useState } from 'react';
import { keepDraft, keyOfForm, readDraft } from '../api/drafts';
import { useRights } from '../api/session';
import { textToKeep } from './text-to-keep';

export interface Kept<Form> {
  readonly form: Form;
  readonly change: (part: Partial<Form> | ((before: Form) => Partial<Form>)) => void;
  /** For what is saved or given up: the form is as it was at first. */
  readonly forget: () => void;
  /** Something was typed before this page was loaded, and is not saved. */
  readonly isRestored: boolean;
  readonly hasSecrets: boolean;
  /** False where the browser has no room for it: a reload loses it. */
  readonly isKept: boolean;
}

const NONE: readonly string[] = [];

export function useKeyOfForm(name: string): string {
  return keyOfForm(useRights().caller.by, name);
}

/** What is typed into the form of a name, kept in this tab for who typed it; secrets are not. */
export function useKept<Form extends object>(name: string, start: Form, secrets = NONE): Kept<Form> {
  const key = useKeyOfForm(name);
  const [first] = useState(start);
  const [{ form, isRestored }, setHeld] = useState(() => {
    const stored = readDraft<Form>(key);
    return { form: { ...first, ...stored }, isRestored: stored !== undefined };
  });
  const [isKept, setKept] = useState(true);
  const text = textToKeep({ form, start: first, secrets });
  useEffect(() => setKept(keepDraft(key, text)), [key, text]);
  const change: Kept<Form>['change'] = useCallback((part) => {
    setHeld(({ form: before, ...held }) => {
      const changed = typeof part === 'function' ? part(before) : part;
      return { ...held, form: { ...before, ...changed } };
    });
  }, []);
  const forget = (): void => {
    // Who saves may leave the page before its next state is kept.
    keepDraft(key, undefined);
    setHeld({ form: first, isRestored: false });
  };
  const hasSecrets = secrets.length > 0;
  // A secret that was typed alone is missed as well.
  const isMissed = text !== undefined || hasSecrets;
  return { form, change, forget, isRestored: isRestored && isMissed, hasSecrets, isKept };
}
