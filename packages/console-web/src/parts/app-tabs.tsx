import { Button, Group } from '@mantine/core';
import { Link, useLocation } from 'wouter';
import { useRights } from '../api/session';
import { useWords } from '../words/language';

/** The pages of one app. */
export function AppTabs({ id }: { readonly id: string }) {
  const t = useWords();
  const [place] = useLocation();
  const { may } = useRights();
  const entries = [
    [`/apps/${id}`, t('settings')],
    ...(may('operator') ? [[`/apps/${id}/profiles`, t('profiles')] as const] : []),
    ...(may('sender') ? [[`/apps/${id}/send`, t('send')] as const] : []),
    [`/apps/${id}/pushes`, t('pushes')],
    [`/apps/${id}/devices`, t('devices')],
    [`/apps/${id}/audience`, t('audience')],
  ] as const;
  return (
    <Group component="nav" gap="xs" aria-label={t('apps')}>
      {entries.map(([path, label]) => (
        <Button
          key={path}
          component={Link}
          href={path}
          size="compact-sm"
          variant={place === path ? 'filled' : 'default'}
          aria-current={place === path ? 'page' : undefined}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
