import { Button, Code, Group } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useState } from 'react';
import { useWords } from '../words/language';

interface CopyableProps {
  readonly text: string;
  /** What stands there instead. */
  readonly shown?: string;
  /** Not shown until somebody asks. */
  readonly isSecret?: boolean;
}

export function Copyable({ text, shown = text, isSecret = false }: CopyableProps) {
  const t = useWords();
  const { copy, copied } = useClipboard();
  const [isShown, setShown] = useState(!isSecret);
  return (
    <Group gap="xs">
      <Code className="mono">{isShown ? shown : '••••••••••••'}</Code>
      {isSecret && (
        <Button size="compact-xs" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? t('hide') : t('show')}
        </Button>
      )}
      <Button size="compact-xs" variant="default" onClick={() => copy(text)}>
        {copied ? t('copied') : t('copy')}
      </Button>
    </Group>
  );
}
