/**
 * What the server may say, with `{}` for what it puts in, and the same in another language, with `{0}`, `{1}` for these in their
 * order; `{0*}` is a sentence of the server as well.
 */
export type Sentences = Readonly<Record<string, string>>;

/** The same in another language; undefined where no sentence is known. */
export type Say = (text: string) => string | undefined;

interface Form {
  readonly between: readonly string[];
  readonly told: string;
}

/** How much of a form has to stand in a text. */
const wordsOf = ({ between }: Form): number => between.reduce((sum, { length }) => sum + length, 0);

export function sayWith(sentences: Sentences): Say {
  const known = new Map(Object.entries(sentences));
  // The form that says most comes first: another may fit by chance.
  const forms = [...known]
    .filter(([said]) => said.includes('{}'))
    .map(([said, told]): Form => ({ between: said.split('{}'), told }))
    .sort((one, other) => wordsOf(other) - wordsOf(one));
  const say: Say = (text) => {
    const whole = known.get(text);
    if (whole !== undefined) return whole;
    for (const { between, told } of forms) {
      const values = valuesIn(text, between);
      if (values) return filledIn(told, values, say);
    }
    return undefined;
  };
  return say;
}

/** What stands between the words of a form; a text of any length is read once, whatever a vendor has put into it. */
function valuesIn(text: string, [first = '', ...between]: readonly string[]): readonly string[] | undefined {
  const last = between.pop() ?? '';
  if (!text.startsWith(first)) return undefined;
  const values: string[] = [];
  let at = first.length;
  for (const words of between) {
    const found = text.indexOf(words, at);
    if (found === -1) return undefined;
    values.push(text.slice(at, found));
    at = found + words.length;
  }
  const end = text.length - last.length;
  return end < at || !text.endsWith(last) ? undefined : [...values, text.slice(at, end)];
}

const filledIn = (told: string, values: readonly string[], say: Say): string =>
  told.replace(/\{(\d)(\*?)\}/g, (_, place: string, isSaid: string) => {
    const value = values[Number(place)] ?? '';
    return isSaid === '' ? value : (say(value) ?? value);
  });
