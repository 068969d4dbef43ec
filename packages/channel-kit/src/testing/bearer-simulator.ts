import { ClientCredentialsDesk, type GrantRefusals } from './client-credentials-desk';
import { DeviceDesk } from './device-desk';
import { openSimulator, type WrongAnswers } from './open-simulator';
import type { MakeSimulator, SimulatorAnswer, SimulatorRequest, WriteReceipt } from './simulator';
import { StrictRules } from './strict-rules';
import { parseFields, type Fields } from './wire-checks';

/** A call with a token that works. */
export interface BearerCall<Rule extends string> {
  readonly headers: SimulatorRequest['headers'];
  /** The first group of `sendPath`. */
  readonly appId: string;
  readonly token: string;
  /** The client that the token was given to. */
  readonly owner: string;
  /** Undefined unless it is a JSON object, and said to be JSON. */
  readonly body: Fields | undefined;
  readonly desk: DeviceDesk;
  readonly strict: StrictRules<Rule>;
  now(): number;
  /** Of the vendor's making, for a message that it takes. */
  nextId(): string;
}

/** A vendor that grants bearer tokens for client credentials, and takes messages as JSON. */
export interface BearerSimulation<Rule extends string> {
  readonly tokenPath: RegExp;
  readonly sendPath: RegExp;
  readonly rules: Readonly<Record<Rule, string>>;
  nameToken(clientId: string, serial: number): string;
  readonly grantRefusals: GrantRefusals;
  /** The answers to a token that is no longer, or never was, one. */
  readonly expired: SimulatorAnswer;
  readonly unknown: SimulatorAnswer;
  readonly trouble: WrongAnswers;
  receive(call: BearerCall<Rule>): SimulatorAnswer;
  readonly receipt: WriteReceipt;
}

const POST_ONLY: SimulatorAnswer = {
  status: 405,
  contentType: 'text/plain',
  body: 'Method Not Allowed',
  headers: { allow: 'POST' },
};

export const simulateBearer =
  <Rule extends string>(begin: () => BearerSimulation<Rule>): MakeSimulator =>
  ({ now }) => {
    const { tokenPath, sendPath, expired, trouble, ...vendor } = begin();
    const tokens = new ClientCredentialsDesk(now, (...of) => vendor.nameToken(...of), vendor.grantRefusals);
    const desk = new DeviceDesk();
    const strict = new StrictRules(vendor.rules);
    let serial = 0;
    const nextId = (): string => `${now()}${String((serial += 1)).padStart(9, '0')}`;

    function answer({ headers, path, body: text }: SimulatorRequest): SimulatorAnswer {
      const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
      const found = tokens.ownerOf(token);
      if (found === 'expired') return expired;
      if (found === 'unknown') return vendor.unknown;
      const appId = sendPath.exec(path)?.[1] ?? '';
      const isJson = headers['content-type']?.startsWith('application/json') === true;
      const body = isJson ? parseFields(text) : undefined;
      return vendor.receive({
        ...{ headers, appId, token, body, desk, strict, now, nextId },
        owner: found.owner,
      });
    }

    return openSimulator({
      ...{ desk, tokens, strict },
      handles: (path) => tokenPath.test(path) || sendPath.test(path),
      answer(request) {
        if (request.method !== 'POST') return POST_ONLY;
        return tokenPath.test(request.path) ? tokens.grant(request) : answer(request);
      },
      wrongAnswers: (path) => (tokenPath.test(path) ? trouble : { ...trouble, 'token-expired': expired }),
      receipt: (kind, sent) => vendor.receipt(kind, sent, now()),
    });
  };
