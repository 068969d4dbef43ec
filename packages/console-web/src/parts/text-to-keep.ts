import { writeJson } from '../api/exact-json';

interface Written<Form> {
  readonly form: Form;
  /** As the form was before somebody typed. */
  readonly start: Form;
  /** Names of fields that are never kept. */
  readonly secrets: readonly string[];
}

/** The JSON of what was typed but secrets; undefined when nothing was typed. That only a secret was is kept as well. */
export function textToKeep<Form extends object>({ form, start, secrets }: Written<Form>): string | undefined {
  if (writeJson(form) === writeJson(start)) return undefined;
  return writeJson(Object.fromEntries(Object.entries(form).filter(([name]) => !secrets.includes(name))));
}
