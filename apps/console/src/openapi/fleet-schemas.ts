import { jsonSchemaOf, WORDS, type JsonSchema } from '@pushfleet/http-edge';
import { z } from 'zod';

const { instant, count } = WORDS;

const checkSchema = z.looseObject({
  check: z.string(),
  subject: z.string().describe('A node, a queue, a profile; empty for the whole fleet.'),
  subjects: z
    .array(z.string())
    .optional()
    .describe('All apps or profiles that one line is about, where more than 20 are alike; `subject` names the first.'),
  status: z.enum(['ok', 'warning', 'problem']),
  finding: z.string(),
  advice: z.string().optional(),
});
const doctorSchema = z.looseObject({
  ok: z.boolean().describe('Whether there is no problem; warnings do not count.'),
  at: instant,
  checks: z.array(checkSchema),
});

const processSchema = z
  .looseObject({
    id: z.string(),
    role: z.string(),
    version: z.string(),
    since: instant,
    keyId: z.string().optional(),
    certificateEndsAt: instant.optional().describe('When the certificate that it shows runs out.'),
    proxyHops: count.optional().describe('The proxies in front of its public port that it trusts.'),
    format: count.optional().describe('Of the data that it writes.'),
    settings: count.optional().describe('The version of the settings that it works with.'),
  })
  .describe('With its labels, such as the channel of a worker.');

const settledSchema = z.strictObject({
  pendingProcesses: z
    .array(z.looseObject({ id: z.string(), role: z.string() }))
    .optional()
    .describe('May still work with what was before; absent where all know.'),
});

const auditSchema = z.looseObject({
  at: instant,
  by: z.string().describe('Whose right it was.'),
  from: z.string().describe('The network address that it came from.'),
  action: z.string().describe('An operation of this reference.'),
  target: z.string().describe('Its path below `/api/v1`.'),
  changes: z
    .record(z.string(), z.tuple([z.unknown(), z.unknown()]))
    .optional()
    .describe('By field, before and after. No secret; of a long value its length.'),
});

const progressSchema = z.looseObject({
  keyId: z.string().describe('Names the `SECRET_KEY` of this console.'),
  writes: z.string().describe('Names the key that the fleet seals with.'),
  phase: z.string(),
  reseal: z.looseObject({ startedAt: instant, updatedAt: instant, done: count, total: count }).optional(),
  last: z.looseObject({ keyId: z.string(), endedAt: instant, rewritten: count, unreadable: count }).optional(),
});
const secretsSchema = progressSchema.extend({
  counts: z.array(z.looseObject({ kind: z.string(), keyId: z.string(), count })),
  stale: count,
  unreadable: count,
  unreadableApps: z
    .array(z.string())
    .describe('Apps whose records in Redis cannot be read: their secrets are not counted.'),
  unreadableMacTokens: z.array(z.string()).describe('The same of MAC tokens, by their keys in Redis.'),
});

/** Of the fleet as a whole: its checks, processes, changes and secrets. */
export const fleetSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Doctor: jsonSchemaOf(doctorSchema),
  Process: jsonSchemaOf(processSchema),
  Settled: jsonSchemaOf(settledSchema),
  AuditEntry: jsonSchemaOf(auditSchema),
  SealingProgress: jsonSchemaOf(progressSchema),
  Sealing: jsonSchemaOf(secretsSchema),
});
