import type { AppScope, Role } from '@pushfleet/domain';
import type { Caller } from '../../http/access';
import type { Claims } from './grant-of';

/** Who signed in at the provider, with what the claims gave at that moment. */
export interface OidcPerson {
  /** What the provider calls its people by, for good. */
  readonly subject: string;
  /** What they are called by people. */
  readonly name: string;
  readonly role: Role;
  readonly apps: AppScope;
}

const MAX_NAME = 64;

/** Names that are told, the shortest first; none of them is trusted to be of one person only. */
export function personOf(claims: Claims): Pick<OidcPerson, 'subject' | 'name'> {
  const subject = String(claims['sub']);
  const told = [claims['preferred_username'], claims['email'], claims['name']].map(wordsOf);
  return { subject, name: told.find((name) => name !== '') ?? cut(subject) };
}

const wordsOf = (claim: unknown): string =>
  typeof claim === 'string' ? cut(claim.replace(/[\p{C}()]/gu, '').trim()) : '';

/** Between characters: half of one is no text. */
const cut = (text: string): string => Array.from(text).slice(0, MAX_NAME).join('');

/** As the API and the audit log see them. */
export const callerBy = ({ subject, name, role, apps }: OidcPerson): Caller => ({
  by: `sso ${name} (${subject})`,
  subject,
  role,
  apps,
});
