import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { writeJson } from '../../api/exact-json';
import { ChoiceField, TextField } from '../../parts/fields';
import { said } from '../../parts/said';
import { useWords } from '../../words/language';
import { EMPTY_CONDITION, isAlone, OPERATORS, whereOf, type Condition } from './conditions';

interface ConditionRowsProps {
  readonly conditions: readonly Condition[];
  readonly onChange: (conditions: readonly Condition[]) => void;
  /** What the API has against them. */
  readonly error?: string | undefined;
}

/** What columns of an installation have to be, a row each, with the condition that they make. */
export function ConditionRows({ conditions, onChange, error }: ConditionRowsProps) {
  const t = useWords();
  const set = (at: number, changes: Partial<Condition>): void =>
    onChange(conditions.map((one, i) => (i === at ? { ...one, ...changes } : one)));
  const where = whereOf(conditions);
  return (
    <Stack gap="xs">
      <Text size="sm">
        {t('allHold')} {t('valueHelp')}
      </Text>
      {conditions.map((condition, i) => (
        <Group key={i} align="flex-end" component="fieldset" className="plain">
          <TextField label={t('column')} value={condition.column} onChange={(column) => set(i, { column })} />
          <ChoiceField
            label={t('operator_')}
            choices={OPERATORS}
            value={condition.operator}
            onChange={(operator) => set(i, { operator })}
          />
          {!isAlone(condition.operator) && (
            <TextField label={t('value')} value={condition.value} onChange={(value) => set(i, { value })} />
          )}
          {conditions.length > 1 && (
            <Button
              variant="default"
              aria-label={t('removeCondition')}
              onClick={() => onChange(conditions.filter((_, at) => at !== i))}
            >
              ✕
            </Button>
          )}
        </Group>
      ))}
      <div>
        <Button size="xs" variant="default" onClick={() => onChange([...conditions, EMPTY_CONDITION])}>
          {t('addCondition')}
        </Button>
      </div>
      {where !== undefined && <Code className="mono">{writeJson(where)}</Code>}
      {error !== undefined && <Text c="red">{said(error)}</Text>}
    </Stack>
  );
}
