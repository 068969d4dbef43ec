import { readJson } from './exact-json';

/** Where what is being written is kept, in this tab; the rest of the key says whose it is. */
export const DRAFTS = 'pushfleet-draft ';

/** Of one form; a person and a form may be called anything. */
export const keyOfForm = (by: string, form: string): string => `${DRAFTS}${JSON.stringify([by, form])}`;

export function readDraft<T extends object>(key: string): Partial<T> | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : (readJson(text) as Partial<T>);
}

/** Keeps a text of JSON, or forgets it; false where the browser has no room. */
export function keepDraft(key: string, text: string | undefined): boolean {
  try {
    if (text === undefined) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    return true;
  } catch {
    // What was kept before is no longer what is written.
    sessionStorage.removeItem(key);
    return false;
  }
}

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
}
