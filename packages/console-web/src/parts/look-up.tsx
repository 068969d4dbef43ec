import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useWords } from '../words/language';
import { TextField } from './fields';
import { Form } from './form';

interface LookUpProps {
  readonly label: string;
  readonly pathOf: (id: string) => string;
}

/** Leads to the page of the id that is typed. */
export function LookUp({ label, pathOf }: LookUpProps) {
  const t = useWords();
  const [typed, setTyped] = useState('');
  const [, go] = useLocation();
  const id = typed.trim();
  return (
    <Form onSubmit={() => go(pathOf(id))}>
      <Group align="flex-end">
        <TextField label={label} value={typed} onChange={setTyped} />
        <Button type="submit" variant="default" disabled={id === ''}>
          {t('look')}
        </Button>
      </Group>
    </Form>
  );
}
