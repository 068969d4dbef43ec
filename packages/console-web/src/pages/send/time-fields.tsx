import { SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { SwitchField, TextField } from '../../parts/fields';
import { Section } from '../../parts/page';
import { useWords } from '../../words/language';
import type { PartProps } from './message-fields';
import { useTooSoon } from './use-too-soon';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** In an hour, as the input has it: local time without a zone. */
function inAnHour(): string {
  const at = new Date(Date.now() + 3_600_000);
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function TimeFields({ draft, change, error }: PartProps) {
  const t = useWords();
  const isSoon = useTooSoon(draft);
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
              description={`${t('timeZone')} ${zone}`}
              value={draft.sendAt}
              error={isSoon ? t('sendAtSoon') : error?.at('push_time')}
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
