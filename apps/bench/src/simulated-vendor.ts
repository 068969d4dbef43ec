import { request, type Agent } from 'undici';
import { aRegistrationId } from './bench-fleet';

/** The bare way to the simulated HMS: a token, then ready-made bodies. */
export interface BareVendor {
  /** Sends one ready-made body and checks the answer. */
  send(body: string): Promise<void>;
}

export async function openBareVendor(origin: string, http: Agent): Promise<BareVendor> {
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
export function readyBody(devices: number): string {
  return JSON.stringify({
    validate_only: false,
    message: {
      android: { notification: { title: 'Title', body: 'Body', click_action: { type: 3 } } },
      token: Array.from({ length: devices }, aRegistrationId),
    },
  });
}
