/** Where what is being written is kept, in this tab; the rest of the key says whose it is. */
export const DRAFTS = 'pushfleet-draft ';

export function forgetDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(DRAFTS)) sessionStorage.removeItem(key);
}
