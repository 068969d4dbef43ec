import type { FleetProcesses } from '@pushfleet/testing';
import { request, type Agent } from 'undici';
import { aRegistrationId, type BenchFleet } from './bench-fleet';
import { timed } from './benchmark';

/** The bare way to the simulated HMS: a token, then ready-made bodies. */
interface BareVendor {
  /** Sends one ready-made body and checks the answer. */
  send(body: string): Promise<void>;
}

async function openBareVendor(origin: string, http: Agent): Promise<BareVendor> {
  const login = await request(`${origin}/oauth2/v3/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials&client_id=100&client_secret=sim-secret',
    dispatcher: http,
  });
  const { access_token: token } = (await login.body.json()) as { access_token: string };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return {
    async send(body) {
      const answer = await request(`${origin}/v1/100/messages:send`, {
        method: 'POST',
        headers,
        body,
        dispatcher: http,
      });
      const { code } = (await answer.body.json()) as { code: string };
      if (code !== '80000000') throw new Error(`the simulator answered ${code}`);
    },
  };
}

/** A complete message for `devices` fresh addresses. */
function readyBody(devices: number): string {
  return JSON.stringify({
    validate_only: false,
    message: {
      android: { notification: { title: 'Title', body: 'Body', click_action: { type: 3 } } },
      token: Array.from({ length: devices }, aRegistrationId),
    },
  });
}

export interface BareSending {
  readonly devices: number;
  /** Addresses of a call. */
  readonly batch: number;
  readonly connections: number;
}

/**
 * Bodies that are made before the clock starts, and sent again and again. The simulated vendor counts devices: few addresses over and over
 * would cost it less than those of an audience.
 */
const [MOST_BODIES, ADDRESSES] = [1000, 500_000];

/** Devices a second of the bare sender, with the HTTP client of the benchmark; the last call is of a whole batch, too. */
export async function bareRate(
  { processes, http }: Pick<BenchFleet, 'http'> & { readonly processes: Pick<FleetProcesses, 'url'> },
  { devices, batch, connections }: BareSending,
): Promise<number> {
  const vendor = await openBareVendor(processes.url('simulator'), http);
  const calls = Math.ceil(devices / batch);
  const count = Math.min(calls, MOST_BODIES, Math.ceil(ADDRESSES / batch));
  const bodies = Array.from({ length: count }, () => readyBody(batch));
  return (calls * batch) / (await timed(calls, connections, (i) => vendor.send(bodies[i % count] ?? '')));
}
