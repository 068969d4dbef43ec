import { APP, families, type KeyFamily } from '../kit/key-family';

export function pacingKeys(namespace: string) {
  /** What the workers of a channel share. */
  const ofChannel =
    (kind: string) =>
    (channel: string): string =>
      `${namespace}:channel:{channel:${channel}}:${kind}`;
  return {
    controls: ofChannel('controls'),
    breakers: ofChannel('breakers'),
    pushHolds: ofChannel('push-holds'),
    slowCalls: ofChannel('slow-calls'),
    callLimits: ofChannel('call-limits'),
    vendorWaits: ofChannel('vendor-waits'),
    workers: ofChannel('workers'),
    profilePace: (
      { app, channel, profile }: Readonly<Record<'app' | 'channel' | 'profile', string>>,
      kind: string,
    ): string => `${namespace}:pace:{pace:${channel}:${app}:${profile}}:${kind}`,
  };
}

export type PacingKeys = ReturnType<typeof pacingKeys>;

export const PACING_KEYS: readonly KeyFamily[] = [
  ...families('app', 'name', { 'rates of profiles': `pace:\\{pace:[^:]+:${APP}:.*\\}:[a-z]+` }),
  ...families('fleet', 'fields', {
    'decisions about channels': 'channel:\\{channel:[^}]+\\}:controls',
    breakers: 'channel:\\{channel:[^}]+\\}:breakers',
    'pushes that wait for a known answer': 'channel:\\{channel:[^}]+\\}:push-holds',
    'profiles that a vendor asked to wait': 'channel:\\{channel:[^}]+\\}:vendor-waits',
  }),
  ...families('fleet', 'stays', {
    'calls that take long': 'channel:\\{channel:[^}]+\\}:slow-calls',
    'calls that profiles may have in flight': 'channel:\\{channel:[^}]+\\}:call-limits',
    'workers of channels': 'channel:\\{channel:[^}]+\\}:workers',
  }),
];
