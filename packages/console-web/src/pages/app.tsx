import { Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { api, ask, type Schemas } from '../api/client';
import { useRights } from '../api/session';
import { useApp } from '../api/use-app';
import { Answer } from '../parts/answer';
import { AppTabs } from '../parts/app-tabs';
import { Confirm } from '../parts/confirm';
import { Copyable } from '../parts/copyable';
import { Moment } from '../parts/moment';
import { Page, Section } from '../parts/page';
import { useNumber, useWords } from '../words/language';
import { AppSettings } from './app-settings';

type StoredApp = Schemas['App'];
type Keyed = StoredApp & Partial<Pick<Schemas['AppWithKeys'], 'key' | 'masterKey' | 'replacedKeys'>>;

export function AppPage({ id }: { readonly id: string }) {
  const t = useWords();
  const { may } = useRights();
  const query = useApp(id);
  const title = query.data && 'edition' in query.data ? String(query.data.name) : id;
  return (
    <Page title={title}>
      <AppTabs id={id} />
      <Answer query={query}>
        {(app) =>
          'purge' in app && !('edition' in app) ? (
            <Text>{t('purging')}</Text>
          ) : (
            <>
              <Text className="mono">{id}</Text>
              <Use app={app as StoredApp} />
              <AppSettings key={id} app={app as StoredApp} />
              {may('operator') && <Keys app={app as Keyed} />}
              {may('operator') && <FirstDevice app={app as Keyed} />}
              {may('owner') && <Deletion id={id} />}
            </>
          )
        }
      </Answer>
    </Page>
  );
}

/** Of what is limited. */
function Use({ app: { id, limits } }: { readonly app: StoredApp }) {
  const t = useWords();
  const number = useNumber();
  const query = useQuery({
    queryKey: ['room', id, limits.deliveriesPerDay],
    queryFn: () => ask(api.GET('/api/v1/apps/{id}/room', { params: { path: { id } } })),
  });
  return (
    <Section title={t('use')}>
      <Answer query={query}>
        {({ installations, ceiling, deliveriesToday }) => (
          <>
            <Text>
              {t('devices')}: {number(installations)}
              {ceiling.installations === null ? '' : ` / ${number(ceiling.installations)}`}
            </Text>
            {deliveriesToday !== undefined && (
              <Text>{`${t('reachedToday')}: ${number(deliveriesToday)} / ${number(Number(limits.deliveriesPerDay))}`}</Text>
            )}
          </>
        )}
      </Answer>
    </Section>
  );
}

function Keys({ app }: { readonly app: Keyed }) {
  const t = useWords();
  const { may } = useRights();
  const client = useQueryClient();
  const rotate = async (which: 'key' | 'masterKey'): Promise<void> => {
    const after = await ask(api.POST('/api/v1/apps/{id}/keys', { params: { path: { id: app.id } }, body: { which } }));
    client.setQueryData(['app', app.id], after);
  };
  const end = async (which: 'key' | 'masterKey'): Promise<void> => {
    const path = { id: app.id, which };
    const after = await ask(api.DELETE('/api/v1/apps/{id}/replaced-keys/{which}', { params: { path } }));
    client.setQueryData(['app', app.id], after);
  };
  const nameOf = (which: 'key' | 'masterKey'): string => t(which === 'key' ? 'appKey' : 'masterKey');
  const replaced = (which: 'key' | 'masterKey') => app.replacedKeys?.find((old) => old.which === which);
  return (
    <Section title={t('keys')}>
      {(['key', 'masterKey'] as const).map((which) => (
        <Stack key={which} gap="xs" align="flex-start">
          <Text fw={600}>{nameOf(which)}</Text>
          <Copyable text={app[which] ?? ''} isSecret />
          {may('owner') && (
            <Confirm
              label={t('rotate')}
              about={nameOf(which)}
              question={t('rotateAsk')}
              color="red"
              onConfirm={() => rotate(which)}
            />
          )}
          {replaced(which) && (
            <Text size="sm">
              {t('oldKeyUntil')} <Moment at={replaced(which)?.until} />
            </Text>
          )}
          {replaced(which) && may('owner') && (
            <Confirm
              label={t('endOldKey')}
              about={nameOf(which)}
              question={t('endOldKeyAsk')}
              color="red"
              onConfirm={() => end(which)}
            />
          )}
        </Stack>
      ))}
    </Section>
  );
}

const FIRST_DEVICE = {
  deviceType: 'android',
  installationId: 'my-first-device',
  vendor: 'HMS',
  registrationId: 'a-token-of-the-vendor',
};

/** One word of a command, whatever it holds. */
const forShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** What an app build does at its start, for a terminal. */
function FirstDevice({ app: { id, key } }: { readonly app: Keyed }) {
  const t = useWords();
  const { ingressUrl } = useRights().caller;
  if (key === undefined || ingressUrl === undefined) return null;
  const commandWith = (shownKey: string): string =>
    [
      ...['curl', '-sS', '-X', 'POST', forShell(`${ingressUrl}/1.1/installations`)],
      ...[`X-LC-Id: ${id}`, `X-LC-Key: ${shownKey}`, 'Content-Type: application/json'].map(
        (it) => `-H ${forShell(it)}`,
      ),
      ...['-d', forShell(JSON.stringify(FIRST_DEVICE))],
    ].join(' ');
  return (
    <Section title={t('firstDevice')}>
      <Text size="sm">{t('firstDeviceHelp')}</Text>
      <Copyable text={commandWith(key)} shown={commandWith('••••••••')} />
    </Section>
  );
}

function Deletion({ id }: { readonly id: string }) {
  const t = useWords();
  const client = useQueryClient();
  const [, go] = useLocation();
  const remove = async (): Promise<void> => {
    await ask(api.DELETE('/api/v1/apps/{id}', { params: { path: { id } } }));
    await client.invalidateQueries({ queryKey: ['apps'] });
    client.removeQueries({ queryKey: ['app', id] });
    go('/apps');
  };
  return (
    <Section title={t('deleteApp')}>
      <div>
        <Confirm label={t('deleteApp')} question={t('deleteAppAsk')} typed={id} color="red" onConfirm={remove} />
      </div>
    </Section>
  );
}
