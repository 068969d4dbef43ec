import { ClientCredentialsDesk, jsonAnswer, type SimulatorAnswer, type SimulatorRequest } from '@pushfleet/channel-kit/testing';

const nameOf = (appId: string, serial: number): string => `__name__.${appId}.${serial}`;

const denied = (error: string): SimulatorAnswer => jsonAnswer({ error, error_description: error }, 401);

const REFUSALS = {
  grant: denied('unsupported_grant_type'),
  client: denied('invalid_client'),
  secret: denied('invalid_client'),
};

/** The vendor's desk for access tokens. */
export const openTokens = (now: () => number) => new ClientCredentialsDesk(now, nameOf, REFUSALS);

/** The access token of a call. */
export const tokenIn = ({ authorization = '' }: SimulatorRequest['headers']): string =>
  authorization.replace(/^Bearer /, '');
