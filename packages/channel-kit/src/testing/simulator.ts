import type { VendorMisbehaviour } from './fault-kinds';
import type { StrictRules } from './strict-rules';

/** A request as a simulator sees it. */
export interface SimulatorRequest {
  readonly method: string;
  /** Without query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface SimulatorAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set when the call reached devices: what the vendor would now deliver. */
  readonly sent?: SentMessage;
}

export interface SentMessage {
  /** The push id, as the client put it into the vendor's own fields; '' when it put none. */
  readonly pushId: string;
  /** The addresses that the vendor accepted, refused ones left out. */
  readonly registrationIds: readonly string[];
  /** The id that the vendor gave to the message, for its receipts. */
  readonly messageId: string;
  /** The vendor's parsed message, as `/_simulator/messages` shows it. */
  readonly message: unknown;
  /** Where the message asks for its receipts; absent where the vendor takes the address from its console. */
  readonly receiptUrl?: string | undefined;
}

type ReceiptKind = 'delivered' | 'clicked' | 'registration-gone' | 'unknown';

interface SimulatorReceipt {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Writes the callback of a vendor that says when something happened; none where the message did not ask for it. */
export type WriteReceipt = (kind: ReceiptKind, sent: SentMessage, at: number) => SimulatorReceipt | undefined;

/** A vendor in miniature: checks what the real one checks and answers in its wire format. */
export interface ChannelSimulator {
  /** True for the vendor's own paths; the six vendors share one port. */
  handles(path: string): boolean;
  answer(request: SimulatorRequest): SimulatorAnswer;
  /**
   * The vendor's answer when it misbehaves; for `token-expired` the vendor also forgets the tokens that it issued, and
   * `partial` takes the message for a part of the devices (see `DeviceDesk`).
   */
  misbehave(kind: VendorMisbehaviour, request: SimulatorRequest): SimulatorAnswer;
  /** The rules that may be switched on; absent where every rule is sure. */
  readonly strict?: StrictRules;
  /** The callback that the vendor would send, if the message asked for it; absent for a channel without receipts. */
  receipt?(kind: ReceiptKind, sent: SentMessage): SimulatorReceipt | undefined;
}

export interface SimulatorOptions {
  readonly now: () => number;
}

export type MakeSimulator = (options: SimulatorOptions) => ChannelSimulator;

/** The one secret that simulators take for right. */
export const SIMULATOR_SECRET = 'sim-secret';

/** Dead registrations, as a test names them. */
export const isGone = (registrationId: string): boolean => registrationId.startsWith('gone-');
/** Malformed registrations, as a test names them. */
export const isMalformed = (registrationId: string): boolean => registrationId.startsWith('bad-');

export const jsonAnswer = (body: unknown, status = 200): SimulatorAnswer => ({
  status,
  contentType: 'application/json;charset=UTF-8',
  body: JSON.stringify(body),
});

/** The page of a server that does not come to an answer. */
export const serverErrorPage = (status: number, reason: string): SimulatorAnswer => ({
  status,
  contentType: 'text/html',
  body: `<html><body>${status} ${reason}</body></html>`,
});

/** An answer that breaks off. */
export const brokenAnswer = (body: string): SimulatorAnswer => ({
  status: 200,
  contentType: 'application/json;charset=UTF-8',
  body,
});

/** A POST as a simulator is given it. */
export const postTo = (path: string, body: string, headers: SimulatorRequest['headers'] = {}): SimulatorRequest => ({
  method: 'POST',
  path,
  query: new URLSearchParams(),
  headers,
  body,
});

/** A POST of a form. */
export const formTo = (path: string, form: Readonly<Record<string, string>>): SimulatorRequest =>
  postTo(path, new URLSearchParams(form).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
