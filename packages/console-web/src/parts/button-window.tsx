import { Button, Modal, type ButtonProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useWords } from '../words/language';

interface ButtonWindowProps extends Pick<ButtonProps, 'color' | 'size' | 'variant' | 'disabled'> {
  readonly label: string;
  /** What of many that have such a button; said by those, and by their windows, where it would be seen from the place alone. */
  readonly about?: string | undefined;
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
export function ButtonWindow({ label, about, isOpen, onOpen, onClose, isHeld = false, ...parts }: ButtonWindowProps) {
  const t = useWords();
  const name = about === undefined ? label : `${label}: ${about}`;
  const { closeOnClickOutside = true, children, ...button } = parts;
  return (
    <>
      <Button size="xs" {...button} {...(about !== undefined && { 'aria-label': name })} onClick={onOpen}>
        {label}
      </Button>
      <Modal
        opened={isOpen}
        onClose={onClose}
        title={<span className="words">{name}</span>}
        closeOnClickOutside={closeOnClickOutside}
        closeButtonProps={{ 'aria-label': t('close'), disabled: isHeld }}
      >
        {children}
      </Modal>
    </>
  );
}
