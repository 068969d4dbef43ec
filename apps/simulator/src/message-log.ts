import { type SentMessage, type SimulatorRequest } from '@pushfleet/channel-kit/testing';

export interface LoggedMessage {
  readonly channel: string;
  readonly atMs: number;
  readonly path: string;
  readonly body: string;
  /** Cut to the first of a big batch. */
  readonly sent: SentMessage;
}

export interface MessageLimits {
  readonly messages: number;
  readonly devicesPerMessage: number;
}

const MAX_BODY = 8_192;
const MAX_DEPTH = 6;
const SHOWN_OF_BATCH = 3;

/** Copies, since a slice would keep the whole body alive. */
const copyOf = (text: string): string => Buffer.from(text).toString();

/** Takes the addresses of a big batch out of the middle, so that the message itself stays readable. */
function shorten(body: string, registrationIds: readonly string[]): string {
  if (body.length <= MAX_BODY) return body;
  const first = registrationIds[SHOWN_OF_BATCH];
  const last = registrationIds.at(-1);
  const from = first === undefined ? -1 : body.indexOf(first);
  const to = last === undefined ? -1 : body.lastIndexOf(last);
  if (from < 0 || to <= from) return copyOf(`${body.slice(0, MAX_BODY)}…`);
  const [head, tail] = [body.slice(0, from), body.slice(to + (last?.length ?? 0))];
  return copyOf(`${head.slice(0, MAX_BODY / 2)}…${tail.slice(0, MAX_BODY / 2)}`);
}

/** A copy with long lists and texts cut: what is kept must not grow with the batch. */
function bounded(value: unknown, limit: number, depth = 0): unknown {
  if (typeof value === 'string') return value.length > MAX_BODY ? copyOf(`${value.slice(0, MAX_BODY)}…`) : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.slice(0, limit).map((item) => bounded(item, limit, depth + 1));
  const entries = Object.entries(value).slice(0, limit);
  return Object.fromEntries(entries.map(([key, inner]) => [key, bounded(inner, limit, depth + 1)]));
}

/** The latest messages of one channel. */
export class MessageLog {
  private readonly ring: LoggedMessage[] = [];
  private next = 0;

  constructor(
    private readonly channel: string,
    private readonly limits: MessageLimits,
  ) {}

  add({ path, body }: SimulatorRequest, sent: SentMessage, atMs: number): void {
    const { messages, devicesPerMessage } = this.limits;
    this.ring[this.next] = {
      channel: this.channel,
      atMs,
      path,
      body: shorten(body, sent.registrationIds),
      sent: {
        ...sent,
        registrationIds: sent.registrationIds.slice(0, devicesPerMessage),
        message: bounded(sent.message, devicesPerMessage),
      },
    };
    this.next = (this.next + 1) % messages;
  }

  newestFirst(limit: number): LoggedMessage[] {
    return [...this.ring.slice(this.next), ...this.ring.slice(0, this.next)].reverse().slice(0, limit);
  }

  clear(): void {
    this.ring.length = 0;
    this.next = 0;
  }
}
