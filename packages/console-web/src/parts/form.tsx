import { Button, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { Failure } from './answer';

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
  /** Of the button that sends it. */
  readonly label: string;
  readonly children: ReactNode;
}

/** Inputs one below the other, then what the API has against them, then the button. */
export const SendingForm = ({ sending, label, children }: SendingFormProps) => (
  <Form onSubmit={() => sending.mutate()}>
    <Stack>
      {children}
      <Failure error={sending.error} />
      <Button type="submit" loading={sending.isPending}>
        {label}
      </Button>
    </Stack>
  </Form>
);
