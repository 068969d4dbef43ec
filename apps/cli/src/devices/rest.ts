import { z } from 'zod';
import { systemCode } from '../errors';
import type { DevicePlan } from './plan';

const TIMEOUT_MS = 20_000;

/** The fleet does not know the app or its key: asking again is no use. */
export class Unwelcome extends Error {
  override readonly name = 'Unwelcome';
}

const routeSchema = z.object({ server: z.url({ protocol: /^wss?$/ }), secondary: z.url({ protocol: /^wss?$/ }) });

export type Route = z.output<typeof routeSchema>;

/** The two questions that a device asks over HTTP. */
export interface Rest {
  register(installationId: string): Promise<void>;
  route(installationId: string): Promise<Route>;
}

export function openRest({ ingressUrl, gatewayUrl, appId, appKey }: DevicePlan): Rest {
  const call = async (path: string, request: RequestInit = {}): Promise<unknown> => {
    const response = await reach(`${ingressUrl}${path}`, request);
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    const problem = `${ingressUrl}${path.replace(/\?.*/, '')} answered HTTP ${response.status}`;
    if (response.status === 401 || response.status === 403)
      throw new Unwelcome(`${problem}: are the id and key right?`);
    throw new Error(problem);
  };
  return {
    async register(installationId) {
      const body = JSON.stringify({ installationId, deviceType: 'android', timeZone: 'Etc/UTC' });
      const headers = { 'x-lc-id': appId, 'x-lc-key': appKey, 'content-type': 'application/json; charset=UTF-8' };
      await call('/1.1/installations?fetchWhenSave=true', { method: 'POST', headers, body });
    },
    async route(installationId) {
      const query = new URLSearchParams({ appId, installationId, secure: '1' });
      const route = routeSchema.parse(await call(`/v1/route?${query.toString()}`));
      return gatewayUrl === undefined ? route : { server: gatewayUrl, secondary: gatewayUrl };
    },
  };
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...request, signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (cause) {
    const reason = systemCode((cause as Error).cause) ?? (cause as Error).name;
    throw new Error(`cannot reach ${new URL(url).origin} (${reason})`, { cause });
  }
}
