import { useCallback, useEffect, useState } from 'react';
import { useRights } from '../../api/session';
import { DRAFTS } from '../../api/drafts';
import { emptyDraft, freshReqId, type Draft } from './draft';

export interface DraftInHand {
  readonly draft: Draft;
  /** Another text is another push. */
  change(change: Partial<Draft>): void;
  /** Its id stays: it may have been taken. */
  markUnclear(): void;
  clear(): void;
}

function stored(key: string): Draft | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : { ...emptyDraft(), ...(JSON.parse(text) as Partial<Draft>) };
}

/** What is being written for an app, kept for its writer until it is sent: a reload or a new sign-in loses nothing. */
export function useDraft(app: string): DraftInHand {
  const { caller } = useRights();
  const key = `${DRAFTS}${caller.by} ${app}`;
  const [draft, setDraft] = useState(() => stored(key) ?? emptyDraft());
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(draft)), [key, draft]);
  const change = useCallback((changes: Partial<Draft>) => {
    setDraft(({ unclearAt: _, ...before }) => ({ ...before, ...changes, reqId: freshReqId() }));
  }, []);
  return {
    ...{ draft, change },
    markUnclear: () => setDraft((before) => ({ unclearAt: Date.now(), ...before })),
    clear: () => setDraft(emptyDraft()),
  };
}
