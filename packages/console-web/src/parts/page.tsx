import { Group, Stack, Title } from '@mantine/core';
import { useEffect, type ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

const Head = ({ children, actions }: Omit<PageProps, 'title'>) => (
  <Group justify="space-between">
    {children}
    {actions}
  </Group>
);

export function Page({ title, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · pushfleet`;
  }, [title]);
  return (
    <Stack gap="md">
      <Head actions={actions}>
        <Title order={1} size="h2" className="words">
          {title}
        </Title>
      </Head>
      {children}
    </Stack>
  );
}

export function Section({ title, actions, children }: PageProps) {
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Head actions={actions}>
        <Title order={2} size="h4">
          {title}
        </Title>
      </Head>
      {children}
    </Stack>
  );
}
