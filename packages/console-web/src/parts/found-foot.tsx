import { Button, Group, Text } from '@mantine/core';
import { useMoment, useWords } from '../words/language';
import { TurnButtons, type Turning } from './turning';

interface FoundFootProps {
  readonly turning: Turning;
  /** Where the next page begins; undefined behind the last. */
  readonly next: string | undefined;
  /** What was searched for, as far as it was looked at; undefined where nothing was searched for, or all was looked at. */
  readonly looked: { readonly backTo: string; readonly at?: number | undefined } | undefined;
  /** Of the whole list as a file. */
  readonly href: string;
}

/** What stands below a list that may be searched. */
export function FoundFoot({ turning, next, looked, href }: FoundFootProps) {
  const t = useWords();
  const moment = useMoment();
  return (
    <>
      {looked && (
        <Text size="sm" c="dimmed" role="status">
          {looked.at !== undefined && `${t('lookedAt')}: ${looked.at} ${t('pushesLookedAt')}. `}
          {t('lookedBackTo')} {moment(looked.backTo)}
        </Text>
      )}
      <Group>
        <TurnButtons turning={turning} next={next} labels={['newer', looked ? 'goOn' : 'older']} />
        <Button component="a" href={href} download variant="default" size="xs">
          {t('downloadList')}
        </Button>
      </Group>
    </>
  );
}
