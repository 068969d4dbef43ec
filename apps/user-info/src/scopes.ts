import { DEFAULT_SCOPE } from '@pushfleet/store';
import { Refusal } from './http/problem';

export type Scope = 'public_profile' | 'basic_info';

/** `granted` as the token carries it: words apart by spaces or commas. */
export function requireScope(granted: string = DEFAULT_SCOPE, oneOf: readonly Scope[]): void {
  const words = granted.split(/[ ,]+/);
  if (oneOf.some((scope) => words.includes(scope))) return;
  throw new Refusal('insufficient_scope', `the token was issued for ${granted}; this needs ${oneOf.join(' or ')}`);
}
