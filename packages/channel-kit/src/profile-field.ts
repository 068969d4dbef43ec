import { z } from 'zod';
import { secretFieldsOf, type ProfileSchema } from './profile-fields';

/** What people read, in the languages of the console. */
export type InEachLanguage = Readonly<Record<'en' | 'zh-CN', string>>;

/** What a form has to know of a field of a profile. */
export interface ProfileField {
  readonly name: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly kind: 'text' | 'boolean' | 'json';
  /** What it may be, where that is one of a few words. */
  readonly choices?: readonly string[];
  /** What it is for: `description` and `zh-CN` of the `.meta()` of its schema. */
  readonly descriptions: InEachLanguage;
}

type Shape = Readonly<Record<string, unknown>>;

/** The fields of a profile, those that it needs first. */
export function describeProfileFields(schema: ProfileSchema<unknown>): readonly ProfileField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const secret = new Set(secretFieldsOf(schema));
  const fields = Object.entries(properties).map(([name, shape]) => ({
    name,
    isRequired: required.includes(name),
    isSecret: secret.has(name),
    ...formOf(shape as Shape),
    descriptions: descriptionsOf(shape as Shape),
  }));
  return [...fields.filter(({ isRequired }) => isRequired), ...fields.filter(({ isRequired }) => !isRequired)];
}

function formOf({ type, enum: choices }: Shape): Pick<ProfileField, 'kind' | 'choices'> {
  if (type === 'boolean') return { kind: 'boolean' };
  if (type !== 'string') return { kind: 'json' };
  const words = Array.isArray(choices) ? choices.filter((choice) => typeof choice === 'string') : [];
  return { kind: 'text', ...(words.length > 0 ? { choices: words } : {}) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function descriptionsOf({ description, 'zh-CN': chinese }: Shape): InEachLanguage {
  return { en: textOf(description), 'zh-CN': textOf(chinese) };
}
