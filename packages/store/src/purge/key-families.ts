import { COUNTED_RECEIPTS } from '@pushfleet/domain';

/** One kind of key of the store: whose it is, and how it goes when an app is deleted. */
export interface KeyFamily {
  readonly name: string;
  readonly owner: 'app' | 'push' | 'user' | 'fleet';
  /** What follows the namespace; the group `app` is the id of the app. */
  readonly pattern: RegExp;
  /**
   * `installations`, `pushes`: found shard by shard. `name`: found by the app's id in the key. `fields`: shared by apps, whose
   * fields begin with their ids and a `/` or a space. `stays`: says nothing of an app, or goes by itself.
   */
  readonly purge: 'installations' | 'pushes' | 'name' | 'fields' | 'stays';
}

const APP = '(?<app>[^:{}/]+)';

/** What a push has beside its record, behind its id. */
export const PUSH_SUFFIXES: readonly string[] = [
  ...['ledger', 'verdicts', 'own', 'pace'],
  ...COUNTED_RECEIPTS.flatMap((kind) => [kind, `${kind}:sketch`]),
];

/** Every key that the store writes; whoever adds one says here how it goes. */
export const KEY_FAMILIES: readonly KeyFamily[] = [
  ...family('app', 'installations', {
    'installation records': `i:\\{${APP}:\\d+\\}:rec`,
    'installation index': `i:\\{${APP}:\\d+\\}:b:.*`,
    subscriptions: `i:\\{${APP}:\\d+\\}:s:.*`,
    'shards of channels': `i:\\{${APP}:\\d+\\}:c`,
    'doubts about shards of channels': `i:\\{${APP}:\\d+\\}:c:doubts`,
    'bytes of installations': `i:\\{${APP}:\\d+\\}:bytes`,
    'unconfirmed installations': `i:\\{${APP}:\\d+\\}:new`,
    'look-ups': `i:\\{${APP}:\\d+\\}:l:[A-Za-z]+`,
    'ids about to be given up': `i:\\{${APP}:\\d+\\}:l:[A-Za-z]+:releases`,
    'fenced installations': `i:\\{${APP}:\\d+\\}:fences`,
    mailboxes: `o:\\{${APP}:\\d+\\}:m:.*`,
    presence: `o:\\{${APP}:\\d+\\}:p:.*`,
  }),
  ...family('app', 'name', {
    'bucket names': `i:\\{${APP}\\}:buckets`,
    'buckets of profiles': `i:\\{${APP}\\}:profile-buckets`,
    'evicted installations': `i:\\{${APP}\\}:evictions`,
    'sweep claim': `i:\\{${APP}\\}:sweep`,
    'notification ids': `n:\\{${APP}:.*\\}`,
    'list of pushes': `pushes:\\{${APP}\\}`,
    schedule: `schedule:\\{${APP}\\}`,
    'number of scheduled pushes': `schedule:\\{${APP}\\}:count`,
    'calls of the minute': `calls:\\{${APP}\\}(:master)?`,
    'devices of the day': `deliveries:\\{${APP}\\}:[0-9-]+`,
    profiles: `profiles:\\{${APP}\\}`,
    'rates of profiles': `pace:\\{pace:[^:]+:${APP}:.*\\}:[a-z]+`,
    'req_id claims': `p:\\{p:\\d+\\}:req:${APP}:.*`,
  }),
  ...family('push', 'pushes', {
    'push records': `p:\\{p:\\d+\\}:[0-9a-v]{16}`,
    'beside push records': `p:\\{p:\\d+\\}:[0-9a-v]{16}:(${PUSH_SUFFIXES.join('|')})`,
    'open pushes': `p:\\{p:\\d+\\}:open`,
    'closed pushes': `p:\\{p:\\d+\\}:closed`,
  }),
  ...family('fleet', 'fields', {
    'decisions about channels': 'channel:\\{channel:[^}]+\\}:controls',
    'devices that change their bucket': 'bucket-moves',
    'checks of channel indexes': 'channel-indexes',
    breakers: 'channel:\\{channel:[^}]+\\}:breakers',
    'pushes that wait for a known answer': 'channel:\\{channel:[^}]+\\}:push-holds',
    'profiles that a vendor asked to wait': 'channel:\\{channel:[^}]+\\}:vendor-waits',
  }),
  ...family('user', 'stays', {
    users: 'u:\\{u:[^}]+\\}',
    'tokens of users': 'u:\\{u:[^}]+\\}:tokens',
    'MAC tokens': 'mac:\\{[^}]+\\}',
    clients: 'client:\\{[^}]+\\}',
    'key of account ids': 'account-key',
    nonces: 'nonce:\\{[^}]+\\}:\\d+',
    'failed look-ups': 'failures:\\{[^}]+\\}',
  }),
  ...family('fleet', 'stays', {
    apps: 'apps',
    'deletions under way': 'purges:\\{[^}]+\\}',
    'format of the data': 'format',
    'agreement on SECRET_KEY': 'sealing',
    leases: 'lease:\\{[^}]+\\}',
    'calls that take long': 'channel:\\{channel:[^}]+\\}:slow-calls',
    'workers of channels': 'channel:\\{channel:[^}]+\\}:workers',
    // Named after a digest of the vendor's credentials, and over within a day.
    'access tokens': 'token:\\{.+\\}(:claim)?',
    'signatures of receipts': 'receipt-signature:\\{[^}]+\\}',
    'processes of the fleet': '\\{processes\\}(:facts)?',
    'what operators did': 'audit-log',
    'people of the console': 'people',
    'tokens of the admin API': 'api-tokens',
    sessions: 'session:\\{[^}]+\\}',
    'failed sign-ins': 'sign-ins:[a-z]+:\\{[^}]+\\}',
    'links that sign in': 'sign-in-link:\\{[^}]+\\}',
    gateways: 'gateways',
    'hints of gateways': 'gw:\\{gw:[^}]+\\}:sequence',
  }),
];

function family(
  owner: KeyFamily['owner'],
  purge: KeyFamily['purge'],
  patterns: Readonly<Record<string, string>>,
): readonly KeyFamily[] {
  return Object.entries(patterns).map(([name, text]) => ({
    name,
    owner,
    purge,
    pattern: new RegExp(`^${text}$`, 's'),
  }));
}

export interface FoundFamily {
  readonly family: KeyFamily;
  /** Absent where the name of the key tells no app. */
  readonly app: string | undefined;
}

/** Undefined for a key of somebody else: the queues, or another program. */
export function familyOf(namespace: string, key: string): FoundFamily | undefined {
  if (!key.startsWith(`${namespace}:`)) return undefined;
  const rest = key.slice(namespace.length + 1);
  for (const family of KEY_FAMILIES) {
    const match = family.pattern.exec(rest);
    if (match) return { family, app: match.groups?.['app'] };
  }
  return undefined;
}
