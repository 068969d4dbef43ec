import { coversApp, coversRole, type AppScope, type Role } from '@pushfleet/domain';
import { Problem } from './problem';

/** Whom an operation is for: a role, and what of the fleet it is about. */
export interface Access {
  /** The least role. */
  readonly role: Role;
  /** One app, named by the address; the whole fleet; or what the caller itself may see. */
  readonly scope: 'app' | 'fleet' | 'own';
}

export const ofApp = (role: Role): Access => ({ role, scope: 'app' });
export const ofFleet = (role: Role): Access => ({ role, scope: 'fleet' });
/** Every role may do what is about the caller alone. */
export const OF_CALLER: Access = { role: 'viewer', scope: 'own' };

/** Who makes a call of the API. */
export interface Caller {
  /** As the audit log names it. */
  readonly by: string;
  /** Of a person; absent for programs and for the admin token. */
  readonly person?: string;
  /** Of who signed in at a provider of OpenID Connect, as the provider names them. */
  readonly subject?: string;
  readonly role: Role;
  readonly apps: AppScope;
}

/**
 * Throws unless the caller may do it, with the app that it is about, if it is about one. About apps that are not the caller's it
 * tells nothing, not even whether they exist.
 */
export function authorise({ role, apps }: Caller, access: Access, app: string): void {
  if (!coversRole(role, access.role))
    throw new Problem('forbidden', `this takes the role ${access.role}; yours is ${role}`);
  if (access.scope === 'fleet' && apps !== 'all')
    throw new Problem('forbidden', 'this is about the whole fleet; your role holds for some apps only');
  if (access.scope === 'app' && !coversApp(apps, app))
    throw new Problem('forbidden', 'your role does not hold for this app');
}
