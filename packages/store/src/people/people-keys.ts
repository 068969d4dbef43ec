import { families, type KeyFamily } from '../kit/key-family';

/** The keys of who may use the admin API. */
export class PeopleKeys {
  constructor(private readonly namespace: string) {}

  people(): string {
    return `${this.namespace}:people`;
  }
  apiTokens(): string {
    return `${this.namespace}:api-tokens`;
  }
  session(digest: string): string {
    return `${this.namespace}:session:{${digest}}`;
  }
  /** Failed sign-ins of one name or network. */
  failures(kind: string, digest: string): string {
    return `${this.namespace}:sign-ins:${kind}:{${digest}}`;
  }
  /** The generation of the sessions of somebody who signs in elsewhere, once they were ended. */
  sessionsEnd(digest: string): string {
    return `${this.namespace}:sessions-end:{${digest}}`;
  }
  /** A token that signs in whoever has it, for a while. */
  signInLink(digest: string): string {
    return `${this.namespace}:sign-in-link:{${digest}}`;
  }
}

export const PEOPLE_KEYS: readonly KeyFamily[] = families('fleet', 'stays', {
  'people of the console': 'people',
  'tokens of the admin API': 'api-tokens',
  sessions: 'session:\\{[^}]+\\}',
  'ends of sessions': 'sessions-end:\\{[^}]+\\}',
  'failed sign-ins': 'sign-ins:[a-z]+:\\{[^}]+\\}',
  'links that sign in': 'sign-in-link:\\{[^}]+\\}',
});
