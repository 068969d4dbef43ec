/** The variables of an env file, in its order. */
export function variablesIn(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => /^\w+=/.test(line));
  return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
}
