import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { api, ask, errorOf, type Schemas } from './client';
import { forgetDrafts } from './drafts';

export type Caller = Schemas['Caller'];
type Role = Caller['role'];

const ROLES: readonly Role[] = ['viewer', 'sender', 'operator', 'owner'];
export const ALL_ROLES = ROLES;

export const SESSION = ['session'] as const;

interface Session {
  /** Who is signed in, or was last: what they typed is kept for them. Null is nobody yet. */
  readonly caller: Caller | null;
  readonly isOver: boolean;
}

const isOfSession = ({ queryKey }: { readonly queryKey: readonly unknown[] }): boolean => queryKey[0] === SESSION[0];

/** What somebody else was shown is forgotten before the next one sees a page. */
function sessionOf(client: QueryClient, caller: Caller | null): Session {
  const last = client.getQueryData<Session>(SESSION)?.caller ?? null;
  if (caller === null) return { caller: last, isOver: true };
  if (last !== null && last.by !== caller.by) client.removeQueries({ predicate: (query) => !isOfSession(query) });
  return { caller, isOver: false };
}

export const useSession = () =>
  useQuery({
    queryKey: SESSION,
    queryFn: async ({ client }): Promise<Session> => {
      try {
        return sessionOf(client, await ask(api.GET('/api/v1/session')));
      } catch (error) {
        if (errorOf(error)?.status === 401) return sessionOf(client, null);
        throw error;
      }
    },
    // Who is nobody may have signed in in another tab.
    staleTime: ({ state }) => (state.data?.isOver === true ? 0 : 60_000),
  });

const BEGUN = 'pushfleet-signed-in';

/** The cookie is one for all tabs: whoever signs in beside this one is who it asks as from now on. */
export function askWhenOthersBegin(client: QueryClient): void {
  new BroadcastChannel(BEGUN).addEventListener('message', () => {
    void client.invalidateQueries({ queryKey: SESSION });
  });
}

/** Takes in who signed in on this page, and asks anew for what stands on it. */
export function useBegin(): (caller: Caller) => Promise<void> {
  const client = useQueryClient();
  return async (caller) => {
    client.setQueryData(SESSION, sessionOf(client, caller));
    new BroadcastChannel(BEGUN).postMessage(null);
    await client.invalidateQueries({ predicate: (query) => !isOfSession(query) });
  };
}

/** The ways to sign in. */
export const useWays = () =>
  useQuery({ queryKey: ['ways'], queryFn: () => ask(api.GET('/api/v1/session/ways')), staleTime: 10_000 });

export interface Rights {
  readonly caller: Caller;
  /** Whether the role reaches so far; `fleet` for what is about more than one app. */
  may(role: Role, scope?: 'fleet' | 'app'): boolean;
}

const rightsOf = (caller: Caller): Rights => ({
  caller,
  may: (role, scope = 'app') =>
    ROLES.indexOf(caller.role) >= ROLES.indexOf(role) && (scope === 'app' || caller.apps === 'all'),
});

/** Only where somebody is or was signed in: whose session is over keeps the page that they had. */
export function useRights(): Rights {
  const { data } = useSession();
  return rightsOf(data?.caller ?? { by: '', role: 'viewer', apps: [] });
}

const SIGNED_OUT = 'pushfleet-signed-out';

function leave(): void {
  forgetDrafts();
  location.assign('/');
}

/** Who signs out in one tab has left all of them. */
export function leaveWithOthers(): void {
  new BroadcastChannel(SIGNED_OUT).addEventListener('message', leave);
}

/** Longer than a console takes that is there. */
const SIGN_OUT_MS = 5000;

/** Nothing of what was shown or typed stays in the browser: not where the session is over already, nor without a network. */
export async function signOut(): Promise<void> {
  try {
    await ask(api.DELETE('/api/v1/session', { signal: AbortSignal.timeout(SIGN_OUT_MS) }));
  } catch (error) {
    // Who could not be signed out is still there on the page that comes next.
    if (errorOf(error) === undefined) throw error;
  } finally {
    new BroadcastChannel(SIGNED_OUT).postMessage(null);
    leave();
  }
}
