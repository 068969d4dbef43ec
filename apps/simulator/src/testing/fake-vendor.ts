import {
  DeviceDesk,
  jsonAnswer,
  openSimulator,
  StrictRules,
  type ChannelSimulator,
  type SimulatorAnswer,
  type SimulatorRequest,
  type WrongAnswers,
} from '@pushfleet/channel-kit/testing';

interface FakeMessage {
  readonly push: string;
  readonly to: readonly string[];
  readonly text?: string;
  readonly callback?: string;
  /** The one kind of receipt that it asks for; without it, any. */
  readonly report?: string;
}

const TROUBLE: WrongAnswers = {
  'http-5xx': jsonAnswer({ kind: 'http-5xx' }, 503),
  throttled: jsonAnswer({ kind: 'throttled' }, 429),
  'token-expired': jsonAnswer({ kind: 'token-expired' }, 401),
  quota: jsonAnswer({ kind: 'quota' }, 403),
  garbage: jsonAnswer({ kind: 'garbage' }),
};

/** The smallest vendor that the server can be tried with. */
export const makeFakeVendor =
  (prefix: string, hasReceipts = true) =>
  (): ChannelSimulator => {
    const desk = new DeviceDesk();
    const strict = new StrictRules({ 'no-text': 'refuses text' });
    const answer = ({ path, body, headers }: SimulatorRequest): SimulatorAnswer => {
      if (path.endsWith('/token')) return jsonAnswer({ token: headers['x-secret'] });
      const message = JSON.parse(body) as FakeMessage;
      if (message.text !== undefined && strict.isOn('no-text')) return jsonAnswer({ kind: 'no-text' }, 400);
      const { taken, left } = desk.sort(message.to);
      const sent = {
        pushId: message.push,
        registrationIds: taken,
        messageId: `m-${message.push}`,
        message,
        ...(message.callback === undefined ? {} : { receiptUrl: message.callback }),
      };
      return { ...jsonAnswer(left.length === 0 ? { ok: true } : { ok: true, left }), sent };
    };
    return openSimulator({
      desk,
      handles: (path) => path.startsWith(prefix),
      answer,
      strict,
      wrongAnswers: () => TROUBLE,
      ...(hasReceipts && {
        receipt(kind, sent) {
          const { report = kind } = sent.message as FakeMessage;
          if (report !== kind) return undefined;
          return {
            headers: { 'content-type': 'application/json', 'x-vendor': prefix },
            body: JSON.stringify({ kind, id: sent.messageId, devices: sent.registrationIds }),
          };
        },
      }),
    });
  };
