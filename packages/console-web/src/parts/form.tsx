import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
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

/** Inputs one below the other, then what the API has against them, then the button. */
export const SendingForm = ({ sending, kept, label, children }: SendingFormProps) => (
  <Form onSubmit={() => sending.mutate()}>
    <Stack>
      {kept && <KeptNote kept={kept} />}
      {children}
      <Failure error={sending.error} />
      <Button type="submit" loading={sending.isPending}>
        {label}
      </Button>
    </Stack>
  </Form>
);
