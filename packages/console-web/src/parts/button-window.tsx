import { Button, Modal, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../words/language';

interface ButtonWindowProps extends Pick<ButtonProps, 'color' | 'size' | 'variant' | 'disabled'> {
  readonly label: string;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly onClose: () => void;
  /** It cannot be closed now. */
  readonly isHeld?: boolean;
  /** A click beside the window closes it. */
  readonly closeOnClickOutside?: boolean;
  readonly children: ReactNode;
}

/** A button, and the window that it opens under the same name. */
export function ButtonWindow({ label, isOpen, onOpen, onClose, isHeld = false, ...parts }: ButtonWindowProps) {
  const t = useWords();
  const { closeOnClickOutside = true, children, ...button } = parts;
  return (
    <>
      <Button size="xs" {...button} onClick={onOpen}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={onClose}
        title={label}
        closeOnClickOutside={closeOnClickOutside}
        closeButtonProps={{ 'aria-label': t('close'), disabled: isHeld }}
      >
        {children}
      </Modal>
    </>
  );
}
