import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useWords } from '../words/language';

interface DialogProps {
  readonly label: string;
  readonly variant?: 'filled' | 'default';
  /** Closed only by its own buttons or Escape: a click beside it loses nothing that was typed. */
  readonly children: (close: () => void) => ReactNode;
}

/** A button that opens a form. */
export function Dialog({ label, variant = 'filled', children }: DialogProps) {
  const t = useWords();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button size="xs" variant={variant} onClick={open}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={label}
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        {children(close)}
      </Modal>
    </>
  );
}
