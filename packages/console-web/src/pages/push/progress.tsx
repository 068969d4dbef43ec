import { Progress as Bar, Stack, Text } from '@mantine/core';
import type { Schemas } from '../../api/client';
import { usePace } from '../../live/use-pace';
import { Section } from '../../parts/page';
import { TimeLeft } from '../../parts/time-left';
import { useNumber, useWords } from '../../words/language';
import { Speed } from './speed';

type Push = Schemas['PushRecord'];

const sumOf = (counts: unknown): number =>
  Object.values((counts ?? {}) as Readonly<Record<string, number>>).reduce((sum, count) => sum + count, 0);

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

/** Devices with a verdict, and all that were found. */
function devicesOf({ channels }: Push): { readonly decided: number; readonly all: number } {
  const books = Object.values(channels) as readonly Readonly<Record<string, unknown>>[];
  const decided = books.reduce(
    (sum, { accepted, discarded, failed }) => sum + numberOf(accepted) + sumOf(discarded) + sumOf(failed),
    0,
  );
  const all = books.reduce((sum, { expected, matched }) => sum + Math.max(numberOf(expected), numberOf(matched)), 0);
  return { decided, all };
}

/** How far it is, how fast it goes, and when it will be done. */
export function Progress({ push }: { readonly push: Push }) {
  const t = useWords();
  const number = useNumber();
  const { decided, all } = devicesOf(push);
  const isOver = push.status === 'done';
  const left = isOver ? 0 : Math.max(0, all - decided);
  const seconds = usePace(left);
  return (
    <Section title={t('progress')}>
      <Stack gap="xs">
        <Bar value={all === 0 ? (isOver ? 100 : 0) : (100 * decided) / all} aria-label={t('progress')} />
        <Text role="status">{`${number(decided)} / ${number(all)} ${t('devicesOf')}`}</Text>
        {left > 0 && <TimeLeft seconds={seconds} estimatedDoneAt={push.estimatedDoneAt} />}
        <Speed decided={decided} isOver={isOver} />
      </Stack>
    </Section>
  );
}
