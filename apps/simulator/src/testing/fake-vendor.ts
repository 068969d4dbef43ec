import {
  isGone,
  jsonAnswer,
  type ChannelSimulator,
  type SimulatorAnswer,
  type VendorMisbehaviour,
} from '@pushfleet/channel-kit/testing';

interface FakeMessage {
  readonly push: string;
  readonly to: readonly string[];
  readonly text?: string;
  readonly callback?: string;
}

const STATUS: Readonly<Record<VendorMisbehaviour, number>> = {
  'http-5xx': 503,
  throttled: 429,
  'token-expired': 401,
  quota: 403,
  garbage: 200,
};

/** The smallest vendor that the server can be tried with. */
export const makeFakeVendor =
  (prefix: string, hasReceipts = true) =>
  (): ChannelSimulator => ({
    handles: (path) => path.startsWith(prefix),
    answer: ({ path, body, headers }): SimulatorAnswer => {
      if (path.endsWith('/token')) return jsonAnswer({ token: headers['x-secret'] });
      const message = JSON.parse(body) as FakeMessage;
      const sent = {
        pushId: message.push,
        registrationIds: message.to.filter((id) => !isGone(id)),
        messageId: `m-${message.push}`,
        message,
        ...(message.callback === undefined ? {} : { receiptUrl: message.callback }),
      };
      return { ...jsonAnswer({ ok: true }), sent };
    },
    misbehave: (kind) => jsonAnswer({ kind }, STATUS[kind]),
    ...(hasReceipts && {
      receipt: (kind, sent) => ({
        headers: { 'content-type': 'application/json', 'x-vendor': prefix },
        body: JSON.stringify({ kind, id: sent.messageId, devices: sent.registrationIds }),
      }),
    }),
  });
