import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { ButtonWindow } from './button-window';

interface DialogProps {
  readonly label: string;
  readonly variant?: 'filled' | 'default';
  /** Closed only by its own buttons or Escape: a click beside it loses nothing that was typed. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a form. */
export function Dialog({ label, variant = 'filled', children }: DialogProps) {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <ButtonWindow {...{ label, variant, isOpen }} onOpen={open} onClose={close} closeOnClickOutside={false}>
      {children(close)}
    </ButtonWindow>
  );
}
