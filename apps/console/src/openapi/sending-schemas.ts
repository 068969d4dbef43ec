import {
  cancelledSchema,
  preflightSchema,
  preflightStateSchema,
  pushBodySchema,
  pushedSchema,
} from '@pushfleet/domain';
import { jsonSchemaOf, type JsonSchema } from '@pushfleet/http-edge';
import { z } from 'zod';

const unreachedSchema = z.strictObject({
  object_ids: z.array(z.string()),
  cursor: z.string().optional(),
  complete: z.boolean().describe('False: not every device of the push is kept.'),
});

const EXCLUSIVE = [
  ['expiration_time', 'expiration_interval'],
  ['where', 'cql'],
];

/** Of what people send. */
export const sendingSchemas = (): Readonly<Record<string, JsonSchema>> => ({
  Push: { ...jsonSchemaOf(pushBodySchema), allOf: EXCLUSIVE.map((required) => ({ not: { required } })) },
  Pushed: jsonSchemaOf(pushedSchema),
  Preflight: jsonSchemaOf(preflightSchema),
  PreflightState: jsonSchemaOf(preflightStateSchema),
  Unreached: jsonSchemaOf(unreachedSchema),
  CancelledPush: jsonSchemaOf(cancelledSchema),
});
