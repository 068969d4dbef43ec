import { useCallback, useEffect, useState } from 'react';
import { useRights } from '../../api/session';
import { DRAFTS, keepDraft, readDraft } from '../../api/drafts';
import { emptyDraft, freshReqId, type Draft } from './draft';

export interface DraftInHand {
  readonly draft: Draft;
  /** Another text is another push. */
  change(change: Partial<Draft>): void;
  /** It is on its way. */
  markAsked(): void;
  /** It was surely not taken, or its id stays: it may have been. */
  markFailed(isUnclear: boolean): void;
  clear(): void;
  /** False where the browser has no room for it: a reload loses it. */
  readonly isKept: boolean;
}

/** Who left the page before the answer came does not know whether it was taken. */
function keptDraft(key: string): Draft {
  const { askedAt, ...kept } = readDraft<Draft>(key) ?? {};
  return { ...emptyDraft(), ...(askedAt === undefined ? {} : { unclearAt: askedAt }), ...kept };
}

/** What is being written for an app, kept for its writer until it is sent: a reload or a new sign-in loses nothing. */
export function useDraft(app: string): DraftInHand {
  const { caller } = useRights();
  const key = `${DRAFTS}${caller.by} ${app}`;
  const [draft, setDraft] = useState(() => keptDraft(key));
  const [isKept, setKept] = useState(true);
  useEffect(() => setKept(keepDraft(key, JSON.stringify(draft))), [key, draft]);
  const change = useCallback((changes: Partial<Draft>) => {
    setDraft(({ unclearAt: _, askedAt: __, ...before }) => ({ ...before, ...changes, reqId: freshReqId() }));
  }, []);
  return {
    draft,
    change,
    isKept,
    markAsked: () => setDraft((before) => ({ ...before, askedAt: Date.now() })),
    markFailed: (isUnclear) =>
      setDraft(({ askedAt, ...before }) => ({
        ...(isUnclear && askedAt !== undefined ? { unclearAt: askedAt } : {}),
        ...before,
      })),
    clear: () => {
      // Who sends leaves the page, perhaps before its next state is kept.
      keepDraft(key, undefined);
      setDraft(emptyDraft());
    },
  };
}
