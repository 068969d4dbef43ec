import { Button, Group, Text } from '@mantine/core';
import { useMoment, useWords } from '../words/language';
import { TurnButtons, type Turning } from './turning';

interface FoundFootProps {
  readonly turning: Turning;
  /** Where the next page begins; undefined behind the last. */
  readonly next: string | undefined;
  /** A search went back so far; undefined where nothing was searched for, or all was looked at. */
  readonly lookedBackTo: string | undefined;
  /** Of the whole list as a file. */
  readonly href: string;
}

/** What stands below a list that may be searched. */
export function FoundFoot({ turning, next, lookedBackTo, href }: FoundFootProps) {
  const t = useWords();
  const moment = useMoment();
  return (
    <>
      {lookedBackTo !== undefined && (
        <Text size="sm" c="dimmed">
          {t('lookedBackTo')} {moment(lookedBackTo)}
        </Text>
      )}
      <Group>
        <TurnButtons turning={turning} next={next} />
        <Button component="a" href={href} download variant="default" size="xs">
          {t('downloadList')}
        </Button>
      </Group>
    </>
  );
}
