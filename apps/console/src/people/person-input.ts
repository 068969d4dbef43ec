import { appScopeSchema, DAY_MS, LIMITS, roleSchema } from '@pushfleet/domain';
import { z } from 'zod';
import { isSubject } from './oidc/identity';

/** NIST SP 800-63B-4 wants 15 where nothing stands beside a password, and no rules about its characters. */
const MIN_PASSWORD_CHARACTERS = 15;

const passwordSchema = z
  .string()
  .min(MIN_PASSWORD_CHARACTERS, `must have at least ${MIN_PASSWORD_CHARACTERS} characters; a sentence is easy to keep`)
  .max(LIMITS.passwordCharacters.value);

/** Some languages write a letter with marks behind it. */
const PERSON_NAME = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]{0,63}$/u;

/** Letters of every language; the reference leaves the rule to the message, since not every validator knows such classes. */
const personNameSchema = z
  .string()
  .max(64)
  .refine(
    (name) => PERSON_NAME.test(name),
    'must be 1 to 64 letters, digits and ._@+-, and begin with a letter or digit',
  );

/** Of what a caller types at the door: nothing is told about its form. */
const typedSchema = z.string().min(1).max(LIMITS.passwordCharacters.value);

export const signInSchema = z.union(
  [
    // No name has a blank around it; a password may.
    z.strictObject({ name: z.string().trim().pipe(typedSchema), password: typedSchema }),
    z.strictObject({ link: typedSchema }),
    z.strictObject({ oidc: z.string().min(1).max(LIMITS.oidcAnswerCharacters.value) }),
  ],
  { error: 'must be {name, password}, {link} or {oidc}' },
);

export const newPersonSchema = z.strictObject({
  name: personNameSchema,
  password: passwordSchema,
  role: roleSchema,
  apps: appScopeSchema.default('all'),
});

export const personChangeSchema = z.strictObject({ role: roleSchema, apps: appScopeSchema }).partial();

/** Nobody who was let in has another one; what is ended stands in Redis and in the audit log. */
export const subjectParamsSchema = z.object({
  subject: z.string().refine(isSubject, 'must be 1 to 255 characters, none of them a control character'),
});

export const passwordChangeSchema = z.strictObject({
  password: passwordSchema,
  current: typedSchema.optional().describe('The password as it is; who changes the password of another needs none.'),
});

const DEFAULT_TOKEN_DAYS = 90;

export const newApiTokenSchema = z.strictObject({
  name: z.string().trim().min(1).max(64),
  role: roleSchema,
  apps: appScopeSchema.default('all'),
  days: z.int().min(1).max(LIMITS.apiTokenDays.value).default(DEFAULT_TOKEN_DAYS).describe('How long it lives.'),
});

export const lifeOf = (days: number): number => days * DAY_MS;
