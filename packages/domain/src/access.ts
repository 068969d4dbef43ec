import { z } from 'zod';
import { LIMITS } from './limits/table';

/** What people and programs may do with the admin API; each role may do everything that those before it may. */
export const ROLES = ['viewer', 'sender', 'operator', 'owner'] as const;

export const roleSchema = z.enum(ROLES);

export type Role = z.output<typeof roleSchema>;

/** Every app of the fleet, or those with these ids. */
export const appScopeSchema = z.union([
  z.literal('all'),
  z.array(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/)).max(LIMITS.appsOfPerson.value),
]);

export type AppScope = z.output<typeof appScopeSchema>;

/** Whether who has one role may do what another one is the least for. */
export const coversRole = (has: Role, least: Role): boolean => ROLES.indexOf(has) >= ROLES.indexOf(least);

export const coversApp = (apps: AppScope, app: string): boolean => apps === 'all' || apps.includes(app);
