import { useEffect, useRef, useState } from 'react';

/** Older looks say nothing of the pace that holds now. */
const LOOK_BACK_MS = 60_000;
/** What stands still is looked at too: its pace falls, and ends with the look-back. */
const LOOK_MS = 5_000;

interface Look {
  readonly at: number;
  readonly left: number;
}

/** How many seconds the rest takes at the pace of the last minute; undefined while nothing is seen to go on. */
export function usePace(left: number): number | undefined {
  const looks = useRef<readonly Look[]>([]);
  const [seconds, setSeconds] = useState<number>();
  useEffect(() => {
    const look = (): void => {
      const now = { at: Date.now(), left };
      const recent = looks.current.filter(({ at }) => at > now.at - LOOK_BACK_MS);
      const [first = now] = recent;
      // More than before: other work came, and the pace of the old one says nothing of it.
      const isMore = left > (recent.at(-1)?.left ?? left);
      looks.current = isMore ? [now] : [...recent, now];
      const perMs = (first.left - left) / (now.at - first.at);
      setSeconds(!isMore && left > 0 && perMs > 0 && Number.isFinite(perMs) ? left / perMs / 1000 : undefined);
    };
    look();
    if (left === 0) return undefined;
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [left]);
  return seconds;
}
