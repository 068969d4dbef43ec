import { useQuery } from '@tanstack/react-query';
import { api, ask, errorOf, type Schemas } from './client';
import { forgetDrafts } from './drafts';

export type Caller = Schemas['Caller'];
type Role = Caller['role'];

const ROLES: readonly Role[] = ['viewer', 'sender', 'operator', 'owner'];
export const ALL_ROLES = ROLES;

export const SESSION = ['session'] as const;

/** Who is signed in; null is nobody. */
export const useSession = () =>
  useQuery({
    queryKey: SESSION,
    queryFn: async (): Promise<Caller | null> => {
      try {
        return await ask(api.GET('/api/v1/session'));
      } catch (error) {
        if (errorOf(error)?.status === 401) return null;
        throw error;
      }
    },
    // Who is nobody may have signed in in another tab.
    staleTime: ({ state }) => (state.data === null ? 0 : 60_000),
  });

/** What stands outside of every app: the ways to sign in, and where devices call. */
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

/** Only below `SignedIn`. */
export function useRights(): Rights {
  const { data } = useSession();
  return rightsOf(data ?? { by: '', role: 'viewer', apps: [] });
}

/** Nothing of what was shown stays in the memory of the browser. */
export async function signOut(): Promise<void> {
  await ask(api.DELETE('/api/v1/session'));
  forgetDrafts();
  location.assign('/');
}
