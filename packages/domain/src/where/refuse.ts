import { InvalidInput } from '../invalid-input';

/** The caller's condition cannot be accepted. */
export function refuse(why: string): never {
  throw new InvalidInput('invalid-query', `where: ${why}`);
}

const SHOWN = 64;

/** A name or a piece of text from the caller, short enough for a message. */
export const shown = (text: string): string => (text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}…`);
