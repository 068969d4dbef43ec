import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { ChoiceField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Section } from '../../parts/page';
import { useWords } from '../../words/language';
import { ConditionRows } from '../send/condition-rows';
import { EMPTY_CONDITION, whereOf, type Condition } from '../send/conditions';
import { JsonField } from '../send/message-fields';

const WAYS = ['byConditions', 'byWhere'] as const;

interface DeviceSearchProps {
  /** JSON; empty where all are shown. */
  readonly where: string;
  /** What the API has against it. */
  readonly error: string | undefined;
  readonly onWhere: (where: string) => void;
}

/** Asks for devices as a push does; what the address asks for stands there as JSON. */
export function DeviceSearch({ where, error, onWhere }: DeviceSearchProps) {
  const t = useWords();
  const [way, setWay] = useState<(typeof WAYS)[number]>(where === '' ? 'byConditions' : 'byWhere');
  const [conditions, setConditions] = useState<readonly Condition[]>([EMPTY_CONDITION]);
  const [json, setJson] = useState(where);
  const rows = whereOf(conditions);
  const typed = way === 'byWhere' ? json.trim() : rows === undefined ? '' : JSON.stringify(rows);
  return (
    <Section title={t('findDevices')}>
      <Form onSubmit={() => typed !== '' && onWhere(typed)}>
        <Stack align="flex-start">
          <ChoiceField label={t('findBy')} choices={WAYS} value={way} onChange={setWay} />
          {way === 'byConditions' ? (
            <ConditionRows conditions={conditions} onChange={setConditions} error={error} />
          ) : (
            <JsonField label={t('whereJson')} value={json} error={error} onChange={setJson} />
          )}
          <Group>
            <Button type="submit" variant="default" disabled={typed === ''}>
              {t('search')}
            </Button>
            {where !== '' && (
              <Button variant="default" onClick={() => onWhere('')}>
                {t('showAll')}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
