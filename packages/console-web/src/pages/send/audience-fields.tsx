import { Button, FileButton, Group, Stack, TagsInput, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { ChoiceField } from '../../parts/fields';
import { Section } from '../../parts/page';
import { said } from '../../parts/said';
import { useWords } from '../../words/language';
import { ConditionRows } from './condition-rows';
import { idsOfCsv } from './csv';
import { AUDIENCES, idsIn, LISTS } from './draft';
import { ConditionField, type PartProps } from './message-fields';

export function AudienceFields(props: PartProps) {
  const t = useWords();
  const { draft, change, error } = props;
  return (
    <Section title={t('toWhom')}>
      <Stack>
        <ChoiceField
          label={t('audience')}
          choices={AUDIENCES}
          value={draft.audience}
          onChange={(audience) => change({ audience })}
        />
        {draft.audience === 'byChannels' && (
          <TagsInput
            label={t('channelNames')}
            description={t('channelNamesHelp')}
            value={[...draft.channels]}
            error={said(error?.at('channels'))}
            onChange={(channels) => change({ channels })}
          />
        )}
        {draft.audience === 'byConditions' && (
          <ConditionRows
            conditions={draft.conditions}
            error={error?.at('where')}
            onChange={(conditions) => change({ conditions })}
          />
        )}
        {draft.audience === 'byIds' && <Ids {...props} />}
        {draft.audience === 'byWhere' && (
          <ConditionField value={draft.where} error={error?.at('where')} onChange={(where) => change({ where })} />
        )}
      </Stack>
    </Section>
  );
}

const MAX_FILE_BYTES = 1024 * 1024;

function Ids({ draft: { ids, list }, change, error }: PartProps) {
  const t = useWords();
  const [refusal, setRefusal] = useState<string>();
  const read = async (file: File | null): Promise<void> => {
    if (!file) return;
    setRefusal(file.size > MAX_FILE_BYTES ? t('csvTooLarge') : undefined);
    if (file.size <= MAX_FILE_BYTES) change(idsOfCsv(await file.text(), list));
  };
  return (
    <Stack>
      <ChoiceField label={t('idsAre')} choices={LISTS} value={list} onChange={(chosen) => change({ list: chosen })} />
      <Textarea
        label={t('ids')}
        description={t('idsHelp')}
        className="mono"
        spellCheck={false}
        autosize
        minRows={3}
        maxRows={10}
        value={ids}
        error={refusal ?? said(error?.at(list))}
        onChange={(event) => change({ ids: event.currentTarget.value })}
      />
      <Group>
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void read(file)}>
          {(button) => (
            <Button size="xs" variant="default" {...button}>
              {t('readCsv')}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {idsIn(ids).length} {t('idsCount')}
        </Text>
      </Group>
    </Stack>
  );
}
