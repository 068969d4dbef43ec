import { Button, Group, Stack } from '@mantine/core';
import { writeJson } from '../../api/exact-json';
import { ChoiceField } from '../../parts/fields';
import { Form } from '../../parts/form';
import { Section } from '../../parts/page';
import { useKept } from '../../parts/use-kept';
import { useWords } from '../../words/language';
import { ConditionRows } from '../send/condition-rows';
import { EMPTY_CONDITION, whereOf, type Condition } from '../send/conditions';
import { ConditionField } from '../send/message-fields';

const WAYS = ['byConditions', 'byWhere'] as const;

interface SearchForm {
  /** The search that is shown while this is typed: at another address it is another form. */
  readonly of: string;
  readonly way: (typeof WAYS)[number];
  readonly conditions: readonly Condition[];
  readonly json: string;
}

const formOf = (where: string): SearchForm => ({
  of: where,
  way: where === '' ? 'byConditions' : 'byWhere',
  conditions: [EMPTY_CONDITION],
  json: where,
});

interface DeviceSearchProps {
  readonly id: string;
  /** JSON; empty where all are shown. */
  readonly where: string;
  /** What the API has against it. */
  readonly error: string | undefined;
  readonly onWhere: (where: string) => void;
}

/** Asks for devices as a push does; what the address asks for stands there as JSON. */
export function DeviceSearch({ id, where, error, onWhere }: DeviceSearchProps) {
  const t = useWords();
  const { form: typed, change: type, forget } = useKept(`devices of ${id}`, formOf(where));
  const form = typed.of === where ? typed : formOf(where);
  const change = (part: Partial<SearchForm>): void => type({ ...form, ...part });
  const { way, conditions, json } = form;
  const rows = whereOf(conditions);
  const wish = way === 'byWhere' ? json.trim() : rows === undefined ? '' : writeJson(rows);
  const look = (next: string): void => {
    forget();
    onWhere(next);
  };
  return (
    <Section title={t('findDevices')}>
      <Form onSubmit={() => wish !== '' && look(wish)}>
        <Stack align="flex-start">
          <ChoiceField label={t('findBy')} choices={WAYS} value={way} onChange={(next) => change({ way: next })} />
          {way === 'byConditions' ? (
            <ConditionRows conditions={conditions} onChange={(next) => change({ conditions: next })} error={error} />
          ) : (
            <ConditionField value={json} error={error} onChange={(next) => change({ json: next })} />
          )}
          <Group>
            <Button type="submit" variant="default" disabled={wish === ''}>
              {t('search')}
            </Button>
            {where !== '' && (
              <Button variant="default" onClick={() => look('')}>
                {t('showAll')}
              </Button>
            )}
          </Group>
        </Stack>
      </Form>
    </Section>
  );
}
