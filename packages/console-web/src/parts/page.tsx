import { Group, Stack, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · pushfleet`;
  }, [title]);
  return (
    <Stack gap="md">
      <Group justify="space-between">
        <Title order={1} size="h2" className="words">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}

interface SectionProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Section({ title, actions, children }: SectionProps) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Group justify="space-between">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
