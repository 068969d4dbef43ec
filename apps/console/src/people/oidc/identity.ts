import { Refusal } from '@pushfleet/http-edge';
import type { Claims } from './grant-of';

/** As OpenID Connect has it: not longer than this, and of characters that are seen. */
const SUBJECT = /^[^\p{C}]{1,255}$/u;

/** Whether it can be the subject of somebody who was let in. */
export const isSubject = (sub: string): boolean => SUBJECT.test(sub);

/** Throws for an identity that is signed and in time, and all the same none to let in. */
export function refuseStrange({ sub, azp }: Claims, clientId: string): void {
  if (azp !== undefined && azp !== clientId)
    throw new Refusal('unauthorised', 'the provider made this identity out for another program: begin again');
  if (typeof sub !== 'string' || !isSubject(sub))
    throw new Refusal(
      'unauthorised',
      'the provider names nobody: its subject is empty, too long, or holds control characters',
    );
}

/** At many providers people type their address themselves: one that is not verified may be anybody’s. */
export const isProven = ({ email_verified: verified }: Claims, roleClaim: string): boolean =>
  roleClaim !== 'email' || verified === true || verified === 'true';
