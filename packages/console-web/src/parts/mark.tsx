import { Badge, ColorSwatch } from '@mantine/core';
import type { ReactNode } from 'react';

const COLORS = {
  good: 'var(--mantine-color-green-7)',
  doubtful: 'var(--mantine-color-yellow-6)',
  bad: 'var(--mantine-color-red-7)',
} as const;

interface MarkProps {
  readonly mood: keyof typeof COLORS;
  readonly children: ReactNode;
}

/** A word with a colour beside it: colour alone tells nothing to who does not see it. */
export const Mark = ({ mood, children }: MarkProps) => (
  <Badge
    className="mark"
    variant="default"
    tt="none"
    leftSection={<ColorSwatch size={10} color={COLORS[mood]} aria-hidden />}
  >
    {children}
  </Badge>
);
