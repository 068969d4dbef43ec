/** What `redis+sentinel://[user:password@]host:port,host:port/master-name[/db]` says. */
export interface SentinelPlace {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The name under which the sentinels watch the master. */
  readonly master: string;
  readonly username: string;
  readonly password: string;
  readonly db: number;
}

const SCHEME = /^rediss?\+sentinel:/;

const FORM =
  /^rediss?\+sentinel:\/\/(?:(?<user>[^:@/]*)(?::(?<secret>[^@/]*))?@)?(?<hosts>[^@/?#]+)\/(?<name>[^/?#]+)(?:\/(?<db>\d{1,9}))?$/;

const USUAL_PORT = 26_379;

/** Whether it is meant to name sentinels; `sentinelsIn` says whether it does. */
export const isSentinelUrl = (url: string): boolean => SCHEME.test(url.trim());

/** `undefined` for an address that names no sentinels, or that cannot be read. */
export function sentinelsIn(url: string): SentinelPlace | undefined {
  const { user, secret, hosts = '', name, db } = FORM.exec(url.trim())?.groups ?? {};
  const sentinels = readAll(hosts.split(','), sentinelIn);
  const words = readAll([user, secret, name], decoded);
  if (!sentinels || !words) return undefined;
  const [username = '', password = '', master = ''] = words;
  return { sentinels, master, username, password, db: Number(db ?? 0) };
}

/** `undefined` when one of them cannot be read. */
function readAll<From, To>(texts: readonly From[], read: (text: From) => To | undefined): readonly To[] | undefined {
  const found = texts.map(read).filter((value) => value !== undefined);
  return found.length === texts.length ? found : undefined;
}

function sentinelIn(text: string): SentinelPlace['sentinels'][number] | undefined {
  const url = `redis://${text.trim()}`;
  if (!URL.canParse(url)) return undefined;
  const { hostname, port } = new URL(url);
  if (hostname === '' || port === '0') return undefined;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || USUAL_PORT) };
}

function decoded(text = ''): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
