import { Button, Group } from '@mantine/core';
import { useHistoryState } from 'wouter/use-browser-location';
import { useWords } from '../words/language';

export interface Turning {
  /** Where the page that is shown begins; undefined for the first. */
  readonly cursor: string | undefined;
  readonly back: () => void;
  readonly on: (next: string) => void;
}

interface Turned {
  readonly list: string;
  readonly cursors: readonly string[];
}

/** Kept with the entry of the browser's history: the way back, and a reload, lead to the page that was left. */
const turn = (turned: Turned): void => history.replaceState({ turned }, '');

/** Turns the pages of a list; another list begins with its first page. */
export function useTurning(list: string): Turning {
  const { turned } = useHistoryState<{ readonly turned?: Turned } | null>() ?? {};
  const cursors = turned?.list === list ? turned.cursors : [];
  return {
    cursor: cursors.at(-1),
    back: () => turn({ list, cursors: cursors.slice(0, -1) }),
    on: (next) => turn({ list, cursors: [...cursors, next] }),
  };
}

interface TurnButtonsProps {
  readonly turning: Turning;
  /** Where the next page begins; undefined behind the last. */
  readonly next: string | undefined;
  readonly labels?: readonly [back: 'newer', on: 'older' | 'more' | 'goOn'];
}

export function TurnButtons({ turning: { cursor, back, on }, next, labels = ['newer', 'older'] }: TurnButtonsProps) {
  const t = useWords();
  return (
    <Group>
      <Button size="xs" variant="default" disabled={cursor === undefined} onClick={back}>
        {t(labels[0])}
      </Button>
      <Button size="xs" variant="default" disabled={next === undefined} onClick={() => next !== undefined && on(next)}>
        {t(labels[1])}
      </Button>
    </Group>
  );
}
