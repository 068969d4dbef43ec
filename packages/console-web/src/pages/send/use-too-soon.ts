import { useEffect, useState } from 'react';
import { isTooSoon, type Due } from './schedule';

const LOOK_MS = 1000;

/** Whether the time that was chosen is too soon by now; what is written may stand on the page for long. */
export function useTooSoon({ isLater, sendAt }: Due): boolean {
  const [, setSeen] = useState(false);
  useEffect(() => {
    if (!isLater) return undefined;
    const timer = setInterval(() => setSeen(isTooSoon({ isLater, sendAt }, Date.now())), LOOK_MS);
    return () => clearInterval(timer);
  }, [isLater, sendAt]);
  return isTooSoon({ isLater, sendAt }, Date.now());
}
