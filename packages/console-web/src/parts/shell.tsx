import { ActionIcon, AppShell, Burger, Button, Group, NavLink, Text, useMantineColorScheme } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { signOut, useRights } from '../api/session';
import type { Key } from '../words/en';
import { useLanguage } from '../words/language';

interface Entry {
  readonly path: string;
  readonly label: Key;
}

/** What the caller may not see has no entry. */
function useEntries(): readonly Entry[] {
  const { may } = useRights();
  return [
    ...(may('viewer', 'fleet')
      ? [{ path: '/fleet', label: 'fleet' } as const, { path: '/channels', label: 'channels' } as const]
      : []),
    { path: '/apps', label: 'apps' },
    ...(may('operator', 'fleet')
      ? [{ path: '/users', label: 'users' } as const, { path: '/audit', label: 'audit' } as const]
      : []),
    { path: '/settings', label: 'settings' },
  ];
}

export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useLanguage();
  const [isOpen, { toggle, close }] = useDisclosure(false);
  const [place] = useLocation();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 200, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('menu')} />
            <Text fw={700}>pushfleet</Text>
          </Group>
          <Controls />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label={t('menu')}>
        {useEntries().map(({ path, label }) => (
          <NavLink
            key={path}
            component={Link}
            href={path}
            label={t(label)}
            active={place.startsWith(path)}
            aria-current={place.startsWith(path) ? 'page' : undefined}
            onClick={close}
          />
        ))}
      </AppShell.Navbar>
      <AppShell.Main>{children}</AppShell.Main>
    </AppShell>
  );
}

function Controls() {
  const { t, language, choose } = useLanguage();
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        lang={language === 'en' ? 'zh-CN' : 'en'}
        onClick={() => choose(language === 'en' ? 'zh-CN' : 'en')}
      >
        {t('language')}
      </Button>
      <ActionIcon variant="default" aria-label={t('scheme')} onClick={() => toggleColorScheme()}>
        ◐
      </ActionIcon>
      <Button size="compact-sm" variant="default" onClick={() => void signOut()}>
        {t('signOut')}
      </Button>
    </Group>
  );
}
