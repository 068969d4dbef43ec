import { isJsonObject } from '@pushfleet/domain';
import { vendorJsonObject } from '../vendor-json';

/** A JSON object as a caller sent it: nothing about its fields is known. */
export type Fields = Readonly<Record<string, unknown>>;

export const fieldsOf = (value: unknown): Fields | undefined => (isJsonObject(value) ? value : undefined);

export const parseFields: (text: string) => Fields | undefined = vendorJsonObject;

export const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== '';

export const isIntegerIn = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

/** Characters as people count them: emoji are one. */
export const codePoints = (text: string): number => Array.from(text).length;

/** Of a message without the addresses in it. */
export const jsonBytesWithout = (body: Fields, field: string): number =>
  Buffer.byteLength(JSON.stringify({ ...body, [field]: undefined }));
