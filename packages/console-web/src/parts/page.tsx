import { Group, Stack, Title } from '@mantine/core';
import { createContext, useContext, useEffect, useRef, type ReactNode } from 'react';

interface PageProps {
  readonly title: string;
  /** What it is a page of, as its tab says too. */
  readonly within?: string | undefined;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

const Head = ({ children, actions }: Pick<PageProps, 'actions' | 'children'>) => (
  <Group justify="space-between">
    {children}
    {actions}
  </Group>
);

/** Whether the page that was loaded is shown: its browser knows where its reader begins. */
export const IsFirstPage = createContext(true);

export function Page({ title, within, actions, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = [title, within, 'pushfleet'].filter(Boolean).join(' · ');
  }, [title, within]);
  const isFirst = useContext(IsFirstPage);
  useEffect(() => {
    // The link that led here is gone, and the focus with it.
    if (!isFirst && document.activeElement === document.body) heading.current?.focus();
  }, [isFirst]);
  return (
    <Stack gap="md">
      <Head actions={actions}>
        <Title order={1} size="h2" className="words" ref={heading} tabIndex={-1}>
          {title}
        </Title>
      </Head>
      {children}
    </Stack>
  );
}

export function Section({ title, actions, children }: Omit<PageProps, 'within'>) {
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
