import type { AppSettings, AppSwitch, AppWithKeys, JsonObject } from '@pushfleet/domain';
import { fewAtOnce, processName, type FleetProcess, type GatewayNode, type Store } from '@pushfleet/store';
import type { ConsolePorts } from '../ports';
import { problem, sealedOr, verdict, warning, type Check } from './check';

type Ports = Pick<ConsolePorts, 'store' | 'adminToken'>;

/** Nothing else tells of a Redis that came back empty: every process works on it as on a new one. */
const NO_APP = warning(
  'there is no app: every push is refused with 401',
  'pushfleet apps create; if there were apps, Redis has lost its data: restore the backup (docs/operate.md#redis)',
);

/** Whether the record of every app can be read: one that cannot is no app to any process. */
export async function appRecordChecks({ apps }: Pick<Store, 'apps'>): Promise<readonly Check[]> {
  const unreadable = await apps.unreadable();
  if (unreadable.length === 0) {
    const hasNone = (await apps.list()).length === 0;
    return [verdict({ check: 'app-records', subject: '' }, 'all can be read', [hasNone && NO_APP])];
  }
  const found = problem(
    'its record in Redis is damaged: nothing of it is served',
    'put it back from a backup of Redis: it is the field of that name in the hash `apps`',
  );
  return unreadable.map((id) => ({ check: 'app-records', subject: id, ...found }));
}

/** Those of hosted apps have 24 characters and more. */
const SHORT_KEY = 16;
/** Enough to see whether an app pushes to channels. */
const LOOKED_AT = 20;

/** Settings that let whoever has an app, or reaches the fleet, do more than most owners want. */
export async function securityChecks(ports: Ports): Promise<readonly Check[]> {
  const apps = await ports.store.apps.list();
  const perApp = await fewAtOnce(apps, (app) => appChecks(ports, app));
  return [adminTokenCheck(ports), ...perApp.flat()];
}

async function appChecks({ store }: Ports, app: AppSettings & { readonly id: string }): Promise<readonly Check[]> {
  // A key that cannot be opened is told by the check of SECRET_KEY.
  const keys = await store.apps.get(app.id).catch((error: unknown) => sealedOr(error, undefined));
  const pushes = await store.pushes.list(app.id, { limit: LOOKED_AT, skip: 0 });
  const usesChannels = pushes.some(({ where }) => namesChannels(where));
  return [...SWITCHES.map((name) => switchCheck(app, name)), ...keyChecks(keys), channelCheck(app, usesChannels)];
}

const SWITCHES: readonly AppSwitch[] = ['clientPush', 'installationQueries', 'pushQueries'];

const OPENED: Readonly<Record<AppSwitch, readonly [what: string, option: string]>> = {
  clientPush: ['push to every device of it', '--client-push'],
  installationQueries: ['list its devices, and receive their messages in their place', '--installation-queries'],
  pushQueries: ['read what was pushed, and to whom', '--push-queries'],
};

function switchCheck(app: AppSettings & { readonly id: string }, name: AppSwitch): Check {
  const [what, option] = OPENED[name];
  return verdict({ check: `app-${kebab(name)}`, subject: app.id }, 'off: that needs the master key', [
    app[name] &&
      warning(`${name} is on: whoever has the app may ${what}`, `pushfleet apps update ${app.id} ${option} off`),
  ]);
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function keyChecks(app: AppWithKeys | undefined): readonly Check[] {
  if (!app) return [];
  const short = (['key', 'masterKey'] as const).filter((which) => app[which].length < SHORT_KEY);
  const advice = `pushfleet apps rotate-key ${app.id} ${short.join(', then ')}; builds in the field keep the old app key`;
  return [
    verdict({ check: 'app-keys', subject: app.id }, 'long enough', [
      short.length > 0 && warning(`fewer than ${SHORT_KEY} characters: ${short.join(', ')}`, advice),
    ]),
  ];
}

function channelCheck({ id, masterOnly }: AppSettings & { readonly id: string }, usesChannels: boolean): Check {
  const isOpen = usesChannels && masterOnly.channelPrefixes.length === 0 && !masterOnly.columns.includes('channels');
  return verdict({ check: 'app-channels', subject: id }, 'protected, or not used by recent pushes', [
    isOpen &&
      warning(
        'pushes go to channels, and whoever has the app may subscribe to any of them',
        `where a channel stands for a user: pushfleet apps update ${id} --master-only-channels PREFIXES`,
      ),
  ]);
}

const namesChannels = (where: JsonObject): boolean =>
  'channels' in where || (Array.isArray(where['$and']) && (where['$and'] as readonly JsonObject[]).some(namesChannels));

function adminTokenCheck({ adminToken }: Ports): Check {
  return verdict({ check: 'admin-token', subject: '' }, 'long enough', [
    adminToken.length < SHORT_KEY &&
      warning(`ADMIN_TOKEN has fewer than ${SHORT_KEY} characters`, 'make one: openssl rand -hex 24'),
  ]);
}

const TRUSTED_PROXIES = 'trusted-proxies';

/** What is known of the public ports of the fleet. */
export interface Doors extends Pick<ConsolePorts, 'proxyHops' | 'ingressUrl'> {
  readonly processes: readonly FleetProcess[];
  readonly gateways: readonly Pick<GatewayNode, 'urls'>[];
}

/** Whether who ends TLS in front of a public port is trusted to tell the address of a caller. */
export const proxyChecks = (doors: Doors): readonly Check[] => [ingressProxyCheck(doors), ...gatewayProxyCheck(doors)];

/** A process that shows a certificate ends TLS itself: nothing need stand before it. */
const leavesTls = ({ certificateEndsAt }: FleetProcess): boolean => certificateEndsAt === undefined;

function ingressProxyCheck({ proxyHops, ingressUrl, processes }: Doors): Check {
  const ingresses = processes.filter(({ role }) => role === 'ingress');
  const speakTls = ingresses.length > 0 && !ingresses.some(leavesTls);
  // An ingress that does not say what it trusts is taken to trust what the console does.
  const asked: readonly Pick<FleetProcess, 'proxyHops'>[] = ingresses.length > 0 ? ingresses : [{}];
  const hops = Math.min(...asked.map((ingress) => ingress.proxyHops ?? proxyHops));
  const finding =
    hops > 0
      ? `the address that ${hops} trusted proxies report counts`
      : 'none is trusted: saves and queries from private addresses are not counted';
  return verdict({ check: TRUSTED_PROXIES, subject: '' }, finding, [
    hops === 0 &&
      ingressUrl?.startsWith('https:') === true &&
      !speakTls &&
      warning(
        'TLS ends in front of the fleet, but TRUSTED_PROXY_HOPS is 0: a proxy at a private address is not counted, one at a public address counts as one caller',
        'set TRUSTED_PROXY_HOPS to the number of proxies, the same for every service',
      ),
  ]);
}

function gatewayProxyCheck({ processes, gateways }: Doors): readonly Check[] {
  const told = processes.filter(({ role, proxyHops }) => role === 'gateway' && proxyHops !== undefined);
  if (told.length === 0) return [];
  const blind = told.filter((gateway) => gateway.proxyHops === 0 && leavesTls(gateway));
  const isProxied = gateways.some(({ urls }) => urls.some((url) => url.startsWith('wss:')));
  return [
    verdict({ check: TRUSTED_PROXIES, subject: 'gateway' }, 'connections count for the addresses that they come from', [
      isProxied &&
        blind.length > 0 &&
        warning(
          `TLS ends in front of ${blind.map(processName).join(', ')}, but PROXY_HOPS is 0: all devices count as one address, and those beyond CONNECTIONS_PER_ADDRESS are cut off`,
          'set PROXY_HOPS of every gateway to the number of proxies; where it shares a port with the ingress, TRUSTED_PROXY_HOPS',
        ),
    ]),
  ];
}
