import { useDisclosure } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import { keepDraft, readDraft } from '../api/drafts';
import { ButtonWindow } from './button-window';
import { HoldWindow } from './form';
import { FormName } from './use-form';
import { useKeyOfForm } from './use-kept';

interface DialogProps {
  readonly label: string;
  /** What it is about, where a page has many such buttons. */
  readonly about?: string;
  readonly variant?: 'filled' | 'default';
  /** Of the form in it; no other of a person has the name. */
  readonly keepAs: string;
  readonly form: (close: () => void) => ReactNode;
}

/**
 * A button that opens a form. It is closed only by its own buttons or Escape, which gives up what was typed: a click beside it
 * loses nothing, and after a reload it is open again.
 */
export function Dialog({ label, about, variant = 'filled', keepAs, form }: DialogProps) {
  const key = useKeyOfForm(keepAs);
  const [wasOpen] = useState(() => readDraft(key) !== undefined);
  const [isOpen, { open, close: shut }] = useDisclosure(wasOpen);
  const [isHeld, hold] = useState(false);
  const close = (): void => {
    keepDraft(key, undefined);
    shut();
  };
  // Who leaves believes that nothing happens any more.
  const leave = (): void => {
    if (!isHeld) close();
  };
  return (
    <ButtonWindow
      {...{ label, about, variant, isOpen, isHeld }}
      onOpen={open}
      onClose={leave}
      closeOnClickOutside={false}
    >
      <HoldWindow value={hold}>
        <FormName value={keepAs}>{form(close)}</FormName>
      </HoldWindow>
    </ButtonWindow>
  );
}
