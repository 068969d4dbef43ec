import type { HttpRequest } from '@pushfleet/http-edge';
import { Refusal } from '@pushfleet/http-edge';
import { addressOf, isSameSecret, networkOf } from '@pushfleet/service-kit';
import { nameKey } from '@pushfleet/store';
import { adminGeneration, BY_ADMIN_TOKEN } from '../http/authenticate';
import type { Caller } from '../http/access';
import { Problem } from '../http/problem';
import type { SignedIn } from '../http/session-cookie';
import type { ConsolePorts } from '../ports';
import { openAttempts, type Presented } from './attempts';
import { callerBy } from './oidc/oidc-person';
import type { Passwords } from './password';

type Ports = Pick<ConsolePorts, 'adminToken' | 'oidc' | 'sessions' | 'proxyHops' | 'now' | 'log'> & {
  readonly store: Pick<ConsolePorts['store'], 'people'>;
};

export interface SignInResult {
  readonly caller: Caller;
  readonly signedIn: SignedIn;
}

export interface SignIn {
  withPassword(req: HttpRequest, typed: { readonly name: string; readonly password: string }): Promise<SignInResult>;
  withLink(req: HttpRequest, link: string): Promise<SignInResult>;
  /** With what a provider of OpenID Connect sent back with the browser. */
  withAnswer(req: HttpRequest, answer: string): Promise<SignInResult>;
}

/** Links of the demo are for the machine that it runs on. */
export const isFromHere = (req: HttpRequest, { proxyHops }: Pick<ConsolePorts, 'proxyHops'>): boolean =>
  /^(::1$|(::ffff:)?127\.)/.test(addressOf(req, proxyHops));

/** Judges what somebody presents at the door; wrong passwords and wrong links cost the same attempts. */
export function openSignIn(ports: Ports, passwords: Passwords): SignIn {
  const { sessions } = ports.store.people;
  const attempt = openAttempts(ports);

  async function enter(req: HttpRequest, presented: Presented, judge: () => Promise<SignInResult | undefined>) {
    const result = await attempt(req, presented, judge);
    if (!result) throw new Refusal('unauthorised', 'name or password are not right');
    ports.log.info({ by: result.caller.by, network: networkOf(addressOf(req, ports.proxyHops)) }, 'somebody signed in');
    return result;
  }

  const asOwner = (): SignInResult => ({
    caller: BY_ADMIN_TOKEN,
    signedIn: { generation: adminGeneration(ports), at: ports.now() },
  });

  return {
    withPassword: (req, { name, password }) =>
      enter(req, { kind: 'name', name: nameKey(name) }, async () => {
        const person = await ports.store.people.persons.get(name);
        const isRight = await passwords.isRight(password, person?.passwordHash);
        if (person && isRight) {
          const { role, apps, generation } = person;
          const signedIn = { person: person.name, generation, at: ports.now() };
          return { caller: { by: `person ${person.name}`, person: person.name, role, apps }, signedIn };
        }
        // A fleet has nobody at first: the admin token opens the door with a name that is nobody's.
        return !person && isSameSecret(password, ports.adminToken) ? asOwner() : undefined;
      }),
    // Names are the provider's to guard: one address alone waits when it brings answers that are worth nothing.
    withAnswer: (req, answer) =>
      enter(req, { kind: 'answer' }, async () => {
        const { oidc, now } = ports;
        if (!oidc) throw new Problem('conflict', 'people sign in here with passwords only');
        const person = await oidc.finish(req, answer);
        const ofSubject = await sessions.generationOf(person.subject);
        const signedIn = { oidc: person, ofSubject, generation: oidc.generation, at: now() };
        return { caller: callerBy(person), signedIn };
      }),
    withLink: (req, link) =>
      enter(req, { kind: 'link' }, async () =>
        ports.sessions.hasLinks && isFromHere(req, ports) && (await sessions.hasLink(link)) ? asOwner() : undefined,
      ),
  };
}
