import { InvalidInput, readJson, type Json } from '@pushfleet/domain';

export const malformedJson = (): InvalidInput => new InvalidInput('malformed-json', 'the body is not valid JSON');

/** What a body says, or a piece of one. */
export function parseJson(text: string): Json {
  try {
    return readJson(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) throw malformedJson();
    throw cause;
  }
}
