import { jsonAnswer, SIMULATOR_SECRET, type SimulatorAnswer, type SimulatorRequest } from './simulator';
import { TokenDesk } from './token-desk';

const LIFE_SECONDS = 3600;

/** How a vendor refuses a request for a token. */
export interface GrantRefusals {
  readonly grant: SimulatorAnswer;
  readonly client: SimulatorAnswer;
  readonly secret: SimulatorAnswer;
}

/** A vendor's desk for bearer tokens that are granted for client credentials (RFC 6749, section 4.4); a token lives an hour. */
export class ClientCredentialsDesk extends TokenDesk {
  constructor(
    now: () => number,
    nameOf: (clientId: string, serial: number) => string,
    private readonly refusals: GrantRefusals,
  ) {
    super({ now, lifeMs: LIFE_SECONDS * 1000, nameOf });
  }

  grant({ headers, body }: SimulatorRequest): SimulatorAnswer {
    const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true;
    const form = new URLSearchParams(isForm ? body : '');
    if (form.get('grant_type') !== 'client_credentials') return this.refusals.grant;
    const clientId = form.get('client_id') ?? '';
    if (clientId === '') return this.refusals.client;
    if (form.get('client_secret') !== SIMULATOR_SECRET) return this.refusals.secret;
    const { value } = this.issue(clientId);
    return jsonAnswer({ access_token: value, expires_in: LIFE_SECONDS, token_type: 'Bearer' });
  }
}
