import type { Audience, JsonObject, PushContent } from '@pushfleet/domain';

/** The part of a push that never changes, one field of its record. */
export interface PushText {
  readonly content: PushContent;
  readonly prod: 'dev' | 'prod';
  readonly createdAt: number;
  readonly pushTime: number;
  readonly expiresAt: number;
  readonly notificationId?: string | undefined;
  readonly flowControl?: number | undefined;
  /** What the API calls a scheduled push. */
  readonly number?: number | undefined;
}

/** Whom it was for; a field of its own, because a long list of devices is dropped once the push is planned. */
export interface AudienceText {
  readonly audience: Audience;
  readonly where: JsonObject;
}

export function encodeText(text: PushText): string {
  const { content, prod, createdAt, pushTime, expiresAt, notificationId, flowControl, number } = text;
  return JSON.stringify({ content, prod, createdAt, pushTime, expiresAt, notificationId, flowControl, number });
}

export const decodeText = (text: string): PushText => JSON.parse(text) as PushText;

export const encodeAudience = ({ audience, where }: AudienceText): string => JSON.stringify({ audience, where });

export const decodeAudience = (text: string): AudienceText => JSON.parse(text) as AudienceText;
