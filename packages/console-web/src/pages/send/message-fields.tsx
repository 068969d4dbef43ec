import { SimpleGrid, Stack, Textarea } from '@mantine/core';
import type { ApiError } from '../../api/client';
import { bindTexts } from '../../parts/bind-texts';
import { SwitchField, TextField } from '../../parts/fields';
import { Section } from '../../parts/page';
import { said } from '../../parts/said';
import { useWords } from '../../words/language';
import { conditionIn, objectIn, type Draft } from './draft';

export interface PartProps {
  readonly draft: Draft;
  readonly change: (change: Partial<Draft>) => void;
  /** What the API has against it. */
  readonly error: ApiError | undefined;
}

export function MessageFields({ draft, change, error }: PartProps) {
  const t = useWords();
  const errorAt = (field: string): string | undefined => error?.at(`data.${field}`) ?? error?.at(field);
  const text = bindTexts(draft, change, errorAt);
  return (
    <Section title={t('message')}>
      <Stack>
        <TextField label={t('pushTitle')} description={t('pushTitleHelp')} {...text('title')} />
        <Textarea
          label={t('text')}
          autosize
          minRows={2}
          maxRows={8}
          value={draft.text}
          error={said(errorAt('alert'))}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextField label={t('badge')} description={t('badgeHelp')} {...text('badge')} />
          <TextField label={t('tapAction')} description={t('tapActionHelp')} {...text('action')} />
          <TextField label={t('sound')} {...text('sound')} />
        </SimpleGrid>
        <SwitchField
          label={t('silent')}
          description={t('silentHelp')}
          value={draft.isSilent}
          onChange={(isSilent) => change({ isSilent })}
        />
        <ObjectField
          label={t('moreData')}
          description={t('moreDataHelp')}
          value={draft.more}
          onChange={(more) => change({ more })}
        />
      </Stack>
    </Section>
  );
}

interface JsonFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChange: (text: string) => void;
}

function ObjectField({ error, ...field }: JsonFieldProps) {
  const t = useWords();
  return <JsonField {...field} error={objectIn(field.value) === undefined ? t('notJson') : error} />;
}

export function ConditionField({ error, ...field }: Omit<JsonFieldProps, 'label'>) {
  const t = useWords();
  const isNone = conditionIn(field.value) === undefined;
  return <JsonField {...field} label={t('whereJson')} error={isNone ? t('notCondition') : error} />;
}

function JsonField({ value, error, onChange, ...input }: JsonFieldProps) {
  return (
    <Textarea
      {...input}
      className="mono"
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      value={value}
      error={said(error)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
