import { type PushContent, type PushService, readJson, writeJson } from '@pushfleet/domain';

/** The part of a push that never changes: one field of the record, as JSON. */
export interface PushText {
  readonly content: PushContent;
  readonly prod: 'dev' | 'prod';
  readonly createdAt: number;
  readonly pushTime: number;
  readonly expiresAt: number;
  readonly notificationId?: string | undefined;
  readonly flowControl?: number | undefined;
  readonly overBudget?: 'discard' | undefined;
  /** The sender listed the addresses. */
  readonly isToDevices?: true | undefined;
  /** Who asked for it; absent: a sender of pushes. */
  readonly service?: PushService | undefined;
  /** What the API calls a scheduled push. */
  readonly number?: number | undefined;
}

export function encodeText(text: PushText): string {
  const { content, prod, createdAt, pushTime, expiresAt } = text;
  const { notificationId, flowControl, overBudget, isToDevices, service, number } = text;
  const choices = { notificationId, flowControl, overBudget, isToDevices, service, number };
  return writeJson({ content, prod, createdAt, pushTime, expiresAt, ...choices });
}

/** Throws when the text is no push. */
export function decodeText(text: string): PushText {
  const read = readJson(text) as Partial<PushText> | null;
  if (typeof read?.content?.data !== 'object') throw new TypeError('the text of a push has no content');
  const times = [read.createdAt, read.pushTime, read.expiresAt];
  if (!times.every(Number.isFinite)) throw new TypeError('the text of a push lacks a time');
  return read as PushText;
}

/** Stands for the text of a push that is damaged. */
export const emptyText = (at: number): PushText => ({
  content: { data: {}, sections: {} },
  prod: 'prod',
  createdAt: at,
  pushTime: at,
  expiresAt: at,
});
