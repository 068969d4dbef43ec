import {
  isFilledText,
  jsonAnswer,
  parseFields,
  SIMULATOR_SECRET,
  TokenDesk,
  type SimulatorAnswer,
  type SimulatorRequest,
} from '@pushfleet/channel-kit/testing';

const LIFE_SECONDS = 3600;

/** The vendor's desk for access tokens. */
class Tokens extends TokenDesk {
  grant({ body }: SimulatorRequest): SimulatorAnswer {
    const { appId, appSecret } = parseFields(body) ?? {};
    if (!isFilledText(appId)) return jsonAnswer({ code: 2001, message: 'appId' });
    if (appSecret !== SIMULATOR_SECRET) return jsonAnswer({ code: 1002, message: 'the app may not send' });
    return jsonAnswer({ code: 0, token: this.issue(appId).value, expiresIn: LIFE_SECONDS });
  }
}

const nameOf = (appId: string, serial: number): string => `__name__.${appId}.${serial}`;

export const openTokens = (now: () => number) => new Tokens({ now, lifeMs: LIFE_SECONDS * 1000, nameOf });

/** The access token of a call. */
export const tokenIn = (headers: SimulatorRequest['headers']): string | undefined => headers['x-__name__-token'];
