import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useNumber, useWords } from '../../words/language';

interface SpeedProps {
  readonly decided: number;
  readonly isOver: boolean;
}

interface Look {
  readonly at: number;
  readonly decided: number;
}

const MOST_LOOKS = 61;
/** A push that stands still says nothing: that too is a speed. */
const LOOK_MS = 5_000;
const [WIDTH, HEIGHT] = [300, 40];

/** Devices in a second, from one look of this page to the next; the newest on the right. */
export function Speed({ decided, isOver }: SpeedProps) {
  const t = useWords();
  const number = useNumber();
  const [looks, setLooks] = useState<readonly Look[]>([]);
  useEffect(() => {
    const look = (): void => setLooks((before) => [...before, { at: Date.now(), decided }].slice(-MOST_LOOKS));
    look();
    if (isOver) return undefined;
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [decided, isOver]);
  const speeds = looks.slice(1).map(({ at, decided: now }, i) => {
    const before = looks[i] ?? { at, decided: now };
    return (1000 * Math.max(0, now - before.decided)) / Math.max(1, at - before.at);
  });
  const latest = speeds.at(-1);
  if (latest === undefined) return null;
  const [most, step] = [Math.max(1, ...speeds), WIDTH / (MOST_LOOKS - 1)];
  const label = `${t('speed')}: ${isOver ? '' : `${number(Math.round(latest))}, `}${t('atMost')} ${number(Math.round(Math.max(...speeds)))}`;
  return (
    <figure className="plain">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height={HEIGHT} role="img" aria-label={label}>
        {speeds.map((speed, i) => (
          <rect
            key={looks[i]?.at}
            x={i * step}
            y={HEIGHT - (HEIGHT * speed) / most}
            width={step * 0.8}
            height={(HEIGHT * speed) / most}
            fill="var(--mantine-color-blue-6)"
          />
        ))}
      </svg>
      <Text component="figcaption" size="sm">
        {label}
      </Text>
    </figure>
  );
}
