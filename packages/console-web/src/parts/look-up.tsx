import { Button, Group } from '@mantine/core';
import { useLocation } from 'wouter';
import { useWords } from '../words/language';
import { TextField } from './fields';
import { Form } from './form';
import { useKept } from './use-kept';

interface LookUpProps {
  readonly label: string;
  /** Of this form; no other of a person has the name. */
  readonly keepAs: string;
  readonly pathOf: (id: string) => string;
}

/** Leads to the page of the id that is typed. */
export function LookUp({ label, keepAs, pathOf }: LookUpProps) {
  const t = useWords();
  const { form, change, forget } = useKept(keepAs, { typed: '' });
  const [, go] = useLocation();
  const id = form.typed.trim();
  const look = (): void => {
    forget();
    go(pathOf(id));
  };
  return (
    <Form onSubmit={look}>
      <Group align="flex-end">
        <TextField label={label} value={form.typed} onChange={(typed) => change({ typed })} />
        <Button type="submit" variant="default" disabled={id === ''}>
          {t('look')}
        </Button>
      </Group>
    </Form>
  );
}
