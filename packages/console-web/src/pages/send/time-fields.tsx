import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { SwitchField, TextField } from '../../parts/fields';
import { Section } from '../../parts/page';
import { said } from '../../parts/said';
import { useWords } from '../../words/language';
import type { PartProps } from './message-fields';
import { isLeftOut, localOf, momentOf, offsetOf } from './schedule';
import { useTooSoon } from './use-too-soon';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const inAnHour = (): string => localOf(new Date(Date.now() + 3_600_000));

export function TimeFields({ draft, change, error }: PartProps) {
  const t = useWords();
  const isSoon = useTooSoon(draft);
  const at = momentOf(draft.sendAt);
  const wrong = isLeftOut(draft.sendAt) ? t('sendAtLeftOut') : isSoon ? t('sendAtSoon') : undefined;
  return (
    <Section title={t('when')}>
      <Stack>
        <SwitchField
          label={t('later')}
          value={draft.isLater}
          onChange={(isLater) => change({ isLater, sendAt: draft.sendAt === '' ? inAnHour() : draft.sendAt })}
        />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {draft.isLater && (
            <TextInput
              type="datetime-local"
              label={t('sendAt')}
              description={`${t('timeZone')} ${zone}${at ? `, ${offsetOf(at)}` : ''}`}
              value={draft.sendAt}
              error={wrong ?? said(error?.at('push_time'))}
              onChange={(event) => change({ sendAt: event.currentTarget.value })}
            />
          )}
          <TextField
            label={t('expiresAfter')}
            description={t('expiresAfterHelp')}
            value={draft.expiresAfter}
            error={error?.at('expiration_interval')}
            onChange={(expiresAfter) => change({ expiresAfter })}
          />
        </SimpleGrid>
        {!draft.isLater && <Text size="sm">{t('atOnce')}</Text>}
      </Stack>
    </Section>
  );
}
