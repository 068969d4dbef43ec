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
}

export function jsonAnswer(status: number, value: unknown, headers?: Readonly<Record<string, string>>): Answer {
  return { status, body: writeJson(value), headers };
}

export const NOTHING: Answer = { status: 200, body: '{}', isNothing: true };
