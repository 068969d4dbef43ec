import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { keepDraft, readDraft } from '../api/drafts';
import { ButtonWindow } from './button-window';
import { FormName } from './use-form';
import { useKeyOfForm } from './use-kept';

interface DialogProps {
  readonly label: string;
  readonly variant?: 'filled' | 'default';
  /** Of the form in it; no other of a person has the name. */
  readonly keepAs: string;
  readonly form: (close: () => void) => ReactNode;
}

/**
 * A button that opens a form. It is closed only by its own buttons or Escape, which gives up what was typed: a click beside it
 * loses nothing, and after a reload it is open again.
 */
export function Dialog({ label, variant = 'filled', keepAs, form }: DialogProps) {
  const key = useKeyOfForm(keepAs);
  const [wasOpen] = useState(() => readDraft(key) !== undefined);
  const [isOpen, { open, close: shut }] = useDisclosure(wasOpen);
  const close = (): void => {
    keepDraft(key, undefined);
    shut();
  };
  return (
    <ButtonWindow {...{ label, variant, isOpen }} onOpen={open} onClose={close} closeOnClickOutside={false}>
      <FormName value={keepAs}>{form(close)}</FormName>
    </ButtonWindow>
  );
}
