import { Button, Code, Group, Stack, Text } from '@mantine/core';
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
  const { copy, copied, error } = useClipboard();
  const [isShown, setShown] = useState(!isSecret);
  // Browsers let no page copy that comes without TLS.
  if (error)
    return (
      <Stack gap={2} align="flex-start">
        <Code className="mono">{text}</Code>
        <Text size="sm" role="status">
          {t('copyByHand')}
        </Text>
      </Stack>
    );
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
