import { writeJson } from '@pushfleet/domain';
/** What a caller gets. */
export interface Answer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
  /** This very object answers again and again: what it is when it is compressed is kept. */
  readonly isConstant?: true;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The object that was asked for does not exist: an empty object, or null in a batch. */
  readonly isNothing?: boolean;
  /** What went wrong, as metrics name it. */
  readonly problem?: string;
  /** What follows the body; the answer ends when there is no more of it. */
  readonly rest?: Rest;
}

/** The rest of a body that nobody holds as a whole. */
export interface Rest {
  /** Whose streams are counted together; absent where the endpoint counts them itself. */
  readonly account?: string;
  /** The next piece, asked for once the caller has taken the one before; undefined at the end. */
  next(): Promise<string | undefined>;
  /** What ends the body when no next piece can be had: the head, with its status, is sent already. */
  brokenOff(refusal: Answer): string;
  /** Called once when the body has ended, however it did: its connection is somebody else's from then on. */
  ended?(): void;
}

export function jsonAnswer(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body: writeJson(value), headers };
}

export const NOTHING: Answer = { status: 200, body: '{}', isNothing: true };
