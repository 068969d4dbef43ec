import { randomInt } from 'node:crypto';
import { type GatewayNode, type GatewayStore } from '@pushfleet/store';
import { type IncomingMessage } from 'node:http';
import { anybody, jsonAnswer, type Answer, type Endpoint } from '@pushfleet/http-edge';
import { Refusal } from '../http/problem';

export interface RoutePorts {
  readonly gateways: Pick<GatewayStore, 'living'>;
  readonly publicUrl?: string | undefined;
}

/** How long clients keep an answer; some ask again only after four failures. */
const TTL_SECONDS = 3600;

/** Where devices open their WebSockets. Asked before anybody can authenticate, and answered alike for every app. */
export function routeEndpoints(ports: RoutePorts): {
  readonly route: Endpoint<undefined>;
  readonly appRoute: Endpoint<undefined>;
} {
  const socketsOf = async () => chooseSockets(await ports.gateways.living());
  return {
    route: {
      route: 'route',
      admit: anybody,
      handle: async (): Promise<Answer> => jsonAnswer(200, { groupId: 'g0', ttl: TTL_SECONDS, ...(await socketsOf()) }),
    },
    /** The older question for the hosts of all services, which are one here. */
    appRoute: {
      route: 'route',
      admit: anybody,
      async handle({ req }): Promise<Answer> {
        const host = ports.publicUrl === undefined ? hostOf(req) : new URL(ports.publicUrl).host;
        const services = ['api', 'push', 'rtm_router', 'engine', 'stats', 'play'];
        const servers = Object.fromEntries(services.map((service) => [`${service}_server`, host]));
        return jsonAnswer(200, { ttl: TTL_SECONDS, ...servers, ...(await socketsOf()) });
      },
    },
  };
}

/** What the caller calls this host is right for him, and the answer is kept by nobody else. */
const hostOf = (req: IncomingMessage): string => req.headers.host ?? '';

/**
 * Some clients alternate between the two at every connection, and one that finds no second waits for ever: there are
 * always two, of different gateways where there are several. Where they begin is left to chance, so that devices spread.
 */
function chooseSockets(nodes: readonly GatewayNode[]): { readonly server: string; readonly secondary: string } {
  const urls = [...new Set(nodes.filter(({ isDraining }) => !isDraining).flatMap((node) => node.urls))];
  if (urls.length === 0) throw new Refusal('unavailable', 'There is no gateway at the moment.');
  const first = randomInt(urls.length);
  const step = urls.length > 1 ? 1 + randomInt(urls.length - 1) : 0;
  const at = (n: number): string => urls[n % urls.length] ?? '';
  return { server: at(first), secondary: at(first + step) };
}
