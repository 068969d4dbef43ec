import { Text } from '@mantine/core';
import type { ComponentType } from 'react';
import { useRights, type Caller } from '../api/session';
import type { Key } from '../words/en';
import { useWords } from '../words/language';
import { Page } from './page';

interface Reservation {
  /** The least role that has the page. */
  readonly role: Caller['role'];
  readonly scope: 'fleet' | 'app';
  readonly title: Key;
}

/** A page that not every role has: who knows its address all the same is told so, and nothing is asked for. */
export function reserved<P extends object>({ role, scope, title }: Reservation, Shown: ComponentType<P>) {
  return function Reserved(props: P) {
    const t = useWords();
    const { may } = useRights();
    if (may(role, scope)) return <Shown {...props} />;
    return (
      <Page title={t(title)}>
        <Text>{t('forbidden')}</Text>
      </Page>
    );
  };
}
