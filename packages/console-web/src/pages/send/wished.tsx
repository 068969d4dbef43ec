import { Alert, Button, Group, Text } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useWords } from '../../words/language';
import { isEmpty, isPlainId, type Draft } from './draft';
import { FilledIn, wishIn } from './filled-in';
import type { DraftInHand } from './use-draft';

/** By its objectId. */
const deviceIn = (search: string): string | null => new URLSearchParams(search).get('device');

const isAsking = (search: string): boolean => wishIn(search) !== undefined || deviceIn(search) !== null;

/** What is filled in, and the draft in whose place. */
const NOTHING = { search: '', reqId: '' };

interface WishedProps {
  readonly id: string;
  readonly inHand: DraftInHand;
}

/**
 * What the address asks for is filled in once, and leaves the address: a reload then finds what was made of it. Somebody's
 * draft is replaced by nobody else.
 */
export function Wished({ id, inHand: { draft, change } }: WishedProps) {
  const search = useSearch();
  const [place, go] = useLocation();
  const [granted, setGranted] = useState(NOTHING);
  const grant = (): void => setGranted({ search, reqId: draft.reqId });
  const forget = useCallback(() => go(place, { replace: true }), [go, place]);
  const fill = useCallback(
    (changes: Partial<Draft>) => {
      change(changes);
      forget();
    },
    [change, forget],
  );
  const asked = wishIn(search);
  const isNew = search !== granted.search && isAsking(search);
  const isFree = isEmpty(draft) || asked?.cursor !== undefined;
  if (isNew && isFree) grant();
  const device = search === granted.search ? deviceIn(search) : null;
  useEffect(() => {
    // What would be taken for several ids is none.
    if (device !== null) fill({ audience: 'byIds', list: 'object_ids', ids: isPlainId(device) ? device : '' });
  }, [device, fill]);
  const wish = wishIn(granted.search);
  // On a slow network somebody writes before it comes; the next devices of a push take nothing of a text.
  const isOvertaken = draft.reqId !== granted.reqId && wish?.cursor === undefined;
  const fillIn = (found: Partial<Draft>): void => (isOvertaken ? setGranted(NOTHING) : fill(found));
  if (isNew && !isFree) return <DraftThere onReplace={grant} onKeep={forget} />;
  return wish ? <FilledIn key={granted.search} id={id} wish={wish} onFound={fillIn} /> : null;
}

function DraftThere({ onReplace, onKeep }: { readonly onReplace: () => void; readonly onKeep: () => void }) {
  const t = useWords();
  return (
    <Alert variant="outline" color="yellow" role="status">
      <Text size="sm">{t('draftThere')}</Text>
      <Group mt="xs">
        <Button size="xs" variant="default" onClick={onReplace}>
          {t('replaceDraft')}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t('keepDraft')}
        </Button>
      </Group>
    </Alert>
  );
}
