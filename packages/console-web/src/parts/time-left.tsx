import { Text } from '@mantine/core';
import { useLanguage } from '../words/language';
import { Moment } from './moment';

interface TimeLeftProps {
  /** At the pace that the page has seen; undefined when it has seen none. */
  readonly seconds: number | undefined;
  /** What the API expects; absent where it expects nothing. */
  readonly estimatedDoneAt: string | undefined;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** When something will be done: as its budget lets it, else at the pace that is seen. */
export function TimeLeft({ seconds, estimatedDoneAt }: TimeLeftProps) {
  const { t, language } = useLanguage();
  if (estimatedDoneAt !== undefined)
    return (
      <Text size="sm">
        {t('doneAt')} <Moment at={estimatedDoneAt} />
      </Text>
    );
  if (seconds === undefined) return null;
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', 1];
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  });
  return <Text size="sm">{`${t('doneIn')} ${format.format(Math.ceil(seconds / length))}`}</Text>;
}
