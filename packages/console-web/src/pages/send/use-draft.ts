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
  /** False where the browser has no room for it: a reload loses it. */
  readonly isKept: boolean;
}

function stored(key: string): Draft | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : { ...emptyDraft(), ...(JSON.parse(text) as Partial<Draft>) };
}

function store(key: string, draft: Draft): boolean {
  try {
    sessionStorage.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    // What was kept before is another push.
    sessionStorage.removeItem(key);
    return false;
  }
}

/** What is being written for an app, kept for its writer until it is sent: a reload or a new sign-in loses nothing. */
export function useDraft(app: string): DraftInHand {
  const { caller } = useRights();
  const key = `${DRAFTS}${caller.by} ${app}`;
  const [draft, setDraft] = useState(() => stored(key) ?? emptyDraft());
  const [isKept, setKept] = useState(true);
  useEffect(() => setKept(store(key, draft)), [key, draft]);
  const change = useCallback((changes: Partial<Draft>) => {
    setDraft(({ unclearAt: _, ...before }) => ({ ...before, ...changes, reqId: freshReqId() }));
  }, []);
  return {
    ...{ draft, change, isKept },
    markUnclear: () => setDraft((before) => ({ unclearAt: Date.now(), ...before })),
    clear: () => {
      // Who sends leaves the page, perhaps before its next state is kept.
      sessionStorage.removeItem(key);
      setDraft(emptyDraft());
    },
  };
}
