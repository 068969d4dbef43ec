/** Control characters but line feed and tab, and those that turn the direction of writing around. */
const CONTROLS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** What the CLI's own progress line begins with. */
export const ERASE_LINE = '\r\x1b[K';

/**
 * Text that moves no terminal: what is stored, and what vendors and callers said, may hold anything. The escapes are those
 * of JSON, so that JSON stays what it is.
 */
export const printable = (text: string): string =>
  text.replace(CONTROLS, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);

export const printableLine = (text: string): string =>
  text.startsWith(ERASE_LINE) ? ERASE_LINE + printable(text.slice(ERASE_LINE.length)) : printable(text);
