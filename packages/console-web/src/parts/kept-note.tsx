import { Text } from '@mantine/core';
import { useWords } from '../words/language';
import type { Kept } from './use-kept';

interface KeptNoteProps {
  readonly kept: Pick<Kept<object>, 'isRestored' | 'hasSecrets' | 'isKept'>;
}

/** What is said where something was typed before a reload, and where a reload would lose it. */
export function KeptNote({ kept: { isRestored, hasSecrets, isKept } }: KeptNoteProps) {
  const t = useWords();
  return (
    <>
      {isRestored && (
        <Text size="sm" role="status">
          {t(hasSecrets ? 'restoredNoSecrets' : 'restored')}
        </Text>
      )}
      {!isKept && <Text size="sm">{t('draftNotKept')}</Text>}
    </>
  );
}
