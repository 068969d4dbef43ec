import { Anchor, Center, Loader, Modal, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { Link, Redirect, Route, Switch, useLocation } from 'wouter';
import { useRights, useSession } from './api/session';
import { LiveProvider } from './live/live';
import { AppPage } from './pages/app';
import { AppsPage } from './pages/apps';
import { ChannelsPage } from './pages/channels';
import { DevicePage, DevicesPage } from './pages/devices';
import { FleetPage } from './pages/fleet';
import { PushPage } from './pages/push';
import { PushesPage } from './pages/pushes';
import { SettingsPage } from './pages/settings';
import { SignInForm, SignInPage } from './pages/sign-in';
import { idIn } from './parts/address';
import { Failure } from './parts/answer';
import { Boundary } from './parts/boundary';
import { IsFirstPage, Page } from './parts/page';
import { reserved } from './parts/reserved';
import { Shell } from './parts/shell';
import { SingleSignOn } from './parts/single-sign-on';
import { useWords } from './words/language';

/** What few visits begin with is loaded when it is asked for. */
const AudiencePage = lazy(async () => ({ default: (await import('./pages/audience')).AudiencePage }));
const AuditPage = lazy(async () => ({ default: (await import('./pages/audit')).AuditPage }));
const ProfilesPage = lazy(async () => ({ default: (await import('./pages/profiles')).ProfilesPage }));
const UsersPage = lazy(async () => ({ default: (await import('./pages/users')).UsersPage }));
const UserPage = lazy(async () => ({ default: (await import('./pages/users/user')).UserPage }));
const SendPage = lazy(async () => ({ default: (await import('./pages/send')).SendPage }));

const Fleet = reserved({ role: 'viewer', scope: 'fleet', title: 'fleet' }, FleetPage);
const Channels = reserved({ role: 'viewer', scope: 'fleet', title: 'channels' }, ChannelsPage);
const Profiles = reserved({ role: 'operator', scope: 'app', title: 'profiles' }, ProfilesPage);
const Send = reserved({ role: 'sender', scope: 'app', title: 'send' }, SendPage);
const Users = reserved({ role: 'operator', scope: 'fleet', title: 'users' }, UsersPage);
const User = reserved({ role: 'operator', scope: 'fleet', title: 'users' }, UserPage);
const Audit = reserved({ role: 'operator', scope: 'fleet', title: 'audit' }, AuditPage);

export function App() {
  const { data, error, refetch } = useSession();
  const [place] = useLocation();
  const [seen, setSeen] = useState({ place, isFirst: true });
  if (seen.place !== place) setSeen({ place, isFirst: false });
  if (data === undefined && error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  const { caller, isOver } = data;
  if (caller === null) return <SignInPage />;
  return (
    <>
      <LiveProvider key={caller.by} isSignedIn={!isOver}>
        <Shell>
          <Boundary place={place}>
            <Suspense fallback={<Waiting />}>
              <IsFirstPage value={seen.isFirst}>
                <Pages />
              </IsFirstPage>
            </Suspense>
          </Boundary>
        </Shell>
      </LiveProvider>
      <SessionOver isOver={isOver} />
    </>
  );
}

/** A dialog that was open when the session ended is below. */
const OVER_DIALOGS = 300;

function Waiting() {
  const t = useWords();
  return (
    <Center mih="90vh">
      <Loader role="status" aria-label={t('loading')} />
    </Center>
  );
}

/** The page stays behind it, with everything that was typed, for who comes back; another person begins anew. */
function SessionOver({ isOver }: { readonly isOver: boolean }) {
  const t = useWords();
  return (
    <Modal opened={isOver} onClose={() => undefined} withCloseButton={false} zIndex={OVER_DIALOGS} title={t('signIn')}>
      <Stack>
        <Text>{t('sessionOver')}</Text>
        <SignInForm />
        <SingleSignOn inNewTab />
      </Stack>
    </Modal>
  );
}

function Pages() {
  const t = useWords();
  const { may } = useRights();
  return (
    <Switch>
      <Route path="/fleet" component={Fleet} />
      <Route path="/channels" component={Channels} />
      <Route path="/apps" component={AppsPage} />
      <Route path="/apps/:id">{({ id }) => <AppPage id={id} />}</Route>
      <Route path="/apps/:id/profiles">{({ id }) => <Profiles key={id} id={id} />}</Route>
      <Route path="/apps/:id/send">{({ id }) => <Send key={id} id={id} />}</Route>
      <Route path="/apps/:id/pushes">{({ id }) => <PushesPage key={id} id={id} />}</Route>
      <Route path="/apps/:id/pushes/:pushId">
        {({ id, pushId }) => <PushPage key={pushId} id={id} pushId={pushId} />}
      </Route>
      <Route path="/apps/:id/devices">{({ id }) => <DevicesPage key={id} id={id} />}</Route>
      <Route path="/apps/:id/devices/:installationId">
        {({ id, installationId }) => <DevicePage id={id} device={idIn(installationId)} />}
      </Route>
      <Route path="/apps/:id/audience">{({ id }) => <AudiencePage key={id} id={id} />}</Route>
      <Route path="/users" component={Users} />
      <Route path="/users/:userId">{({ userId }) => <User key={userId} userId={idIn(userId)} />}</Route>
      <Route path="/audit" component={Audit} />
      <Route path="/settings" component={SettingsPage} />
      <Route path="/">
        <Redirect to={may('viewer', 'fleet') ? '/fleet' : '/apps'} replace />
      </Route>
      <Route path="/sign-in">
        <Redirect to="/" replace />
      </Route>
      <Route>
        <Page title={t('notFound')}>
          <Anchor component={Link} href="/">
            {t('toFirstPage')}
          </Anchor>
        </Page>
      </Route>
    </Switch>
  );
}
