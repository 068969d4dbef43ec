import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Beside what only tests install. */
const PROGRAM = join(__dirname, '../../../apps/e2e/src/testing/oidc-provider.mjs');

type People = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface OidcProviderOptions {
  readonly client: {
    readonly client_id: string;
    readonly client_secret: string;
    readonly redirect_uris: readonly string[];
  };
  /** The claims of those who sign in by these names, with any password; others have none. */
  readonly people: People;
  /** They are in the token, too, but for what this has in their place. Absent: the console has to ask for them. */
  readonly inToken?: People;
  /** Any free one where none is named. */
  readonly port?: number;
}

export interface OidcProvider {
  readonly issuer: string;
  stop(): void;
}

/** A real provider of OpenID Connect, in a process of its own. */
export async function startOidcProvider(options: OidcProviderOptions): Promise<OidcProvider> {
  const child = fork(PROGRAM, [], {
    env: { PATH: process.env['PATH'] ?? '' },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.send(options);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error(`the provider did not start: ${output}`)));
  const [{ issuer }] = (await Promise.race([once(child, 'message'), failed])) as [{ issuer: string }];
  failed.catch(() => undefined);
  return { issuer, stop: () => void child.kill('SIGKILL') };
}

/** Signs somebody in as a browser does that was sent there; gives the query of the address that it sends back to. */
export async function signInAtProvider(url: string, name: string): Promise<string> {
  const jar = new Map<string, string>();
  const visit = async (place: string, form?: Readonly<Record<string, string>>): Promise<string> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(place, {
      redirect: 'manual',
      headers: { cookie },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    });
    for (const set of answer.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(key, value);
    }
    const to = answer.headers.get('location');
    if (to === null) throw new Error(`${place} was answered ${answer.status}: ${await answer.text()}`);
    return new URL(to, place).href;
  };
  const door = await visit(url);
  const inside = await visit(door, { prompt: 'login', login: name, password: 'any' });
  return new URL(await visit(inside)).search.slice(1);
}
