import { Button, Stack } from '@mantine/core';
import { createContext, useContext, useEffect, type FormEvent, type ReactNode } from 'react';
import { Failure } from './answer';
import { KeptNote } from './kept-note';
import type { Kept } from './use-kept';

interface FormProps {
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** A form that the page sends itself: the browser's own way would load the page anew. */
export function Form({ onSubmit, children }: FormProps) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return <form onSubmit={submit}>{children}</form>;
}

interface SendingFormProps {
  readonly sending: { readonly mutate: () => void; readonly isPending: boolean; readonly error: unknown };
  /** What is typed into it; absent where nothing of it is kept. */
  readonly kept?: Pick<Kept<object>, 'isRestored' | 'hasSecrets' | 'isKept'>;
  /** Of the button that sends it. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Keeps open the window that a form is in, while what it sends is on its way. */
export const HoldWindow = createContext<(isHeld: boolean) => void>(() => undefined);

/** Inputs one below the other, then what the API has against them, then the button. */
export function SendingForm({ sending, kept, label, children }: SendingFormProps) {
  const hold = useContext(HoldWindow);
  const { isPending } = sending;
  useEffect(() => {
    hold(isPending);
    return () => hold(false);
  }, [hold, isPending]);
  return (
    <Form onSubmit={() => sending.mutate()}>
      <Stack>
        {kept && <KeptNote kept={kept} />}
        {children}
        <Failure error={sending.error} />
        <Button type="submit" loading={isPending}>
          {label}
        </Button>
      </Stack>
    </Form>
  );
}
