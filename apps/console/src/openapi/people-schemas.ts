import { appScopeSchema, roleSchema } from '@pushfleet/domain';
import { jsonSchemaOf, WORDS, type JsonSchema } from '@pushfleet/http-edge';
import { z } from 'zod';
import {
  newApiTokenSchema,
  newPersonSchema,
  passwordChangeSchema,
  personChangeSchema,
  signInSchema,
} from '../people/person-input';

const { instant } = WORDS;

const rights = { role: roleSchema, apps: appScopeSchema };

const callerSchema = z.looseObject({
  by: z.string().describe('As the audit log names it.'),
  person: z.string().optional().describe('Absent for programs and the admin token.'),
  subject: z.string().optional().describe('Of who signed in at a provider of OpenID Connect.'),
  ...rights,
  ingressUrl: z.url().optional().describe('Where devices and senders call, if the console knows it.'),
});

const personSchema = z.looseObject({ name: z.string(), ...rights, createdAt: instant });

const apiTokenSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  ...rights,
  createdBy: z.string(),
  createdAt: instant,
  expiresAt: instant,
  isExpired: z.boolean(),
});

/** Of people, and of programs with a token. */
export const peopleSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  SignIn: jsonSchemaOf(signInSchema),
  Caller: jsonSchemaOf(callerSchema),
  SignInLink: jsonSchemaOf(z.looseObject({ path: z.string(), expiresAt: instant })),
  Person: jsonSchemaOf(personSchema),
  NewPerson: jsonSchemaOf(newPersonSchema),
  PersonChange: jsonSchemaOf(personChangeSchema),
  PasswordChange: jsonSchemaOf(passwordChangeSchema),
  ApiToken: jsonSchemaOf(apiTokenSchema),
  NewApiToken: jsonSchemaOf(newApiTokenSchema),
  CreatedApiToken: jsonSchemaOf(apiTokenSchema.extend({ token: z.string() })),
});
