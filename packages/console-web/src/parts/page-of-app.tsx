import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAppName } from '../api/use-app';
import { AppTabs } from './app-tabs';
import { Page } from './page';

interface PageOfAppProps {
  /** Of the app. */
  readonly id: string;
  readonly title: string;
  /** Beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A page of one app says which, and so does its tab: whoever has several apps open sends to the one they mean. */
export function PageOfApp({ id, title, actions, children }: PageOfAppProps) {
  const name = useAppName(id);
  return (
    <Page title={title} within={name} actions={actions}>
      <Text fw={600}>
        {name !== undefined && (
          <Anchor component={Link} href={`/apps/${id}`} inherit className="words">
            {name}
          </Anchor>
        )}
      </Text>
      <AppTabs id={id} />
      {children}
    </Page>
  );
}
