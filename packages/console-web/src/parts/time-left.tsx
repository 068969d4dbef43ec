import { Text } from '@mantine/core';
import { useLanguage } from '../words/language';
import { lengthOf } from './length';
import { Moment } from './moment';

interface TimeLeftProps {
  /** At the pace that the page has seen; undefined when it has seen none. */
  readonly seconds: number | undefined;
  /** What the API expects; absent where it expects nothing. */
  readonly estimatedDoneAt: string | undefined;
}

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
  return <Text size="sm">{`${t('doneIn')} ${lengthOf(seconds, language)}`}</Text>;
}
