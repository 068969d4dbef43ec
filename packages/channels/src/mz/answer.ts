import { accepted, formReader, type FormReader, type Sent } from '@pushfleet/channel-kit';
import { type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { DEVICE_CODES, OK_CODE, REQUEST_CODES, UNKNOWN_DEVICE, type DeviceRow } from './codes';

const wordSchema = z.string().optional().catch(undefined);

const codeSchema = z.union([z.string(), z.int()]).transform(String);
const okSchema = codeSchema.refine((code) => code === OK_CODE);

const refusedSchema = z.looseObject({ code: codeSchema.refine((code) => code !== OK_CODE), message: wordSchema });

/** Code to the targets it concerns; nothing, in one of four spellings, when all were taken. */
const valueSchema = z.union([
  z.record(z.string(), z.array(z.string())),
  z
    .union([z.literal(''), z.array(z.never())])
    .nullish()
    .transform(() => ({}) as Record<string, string[]>),
]);

const takenSchema = z.looseObject({ code: okSchema, value: valueSchema, msgId: wordSchema });

type Taken = z.infer<typeof takenSchema>;
type Refused = z.infer<typeof refusedSchema>;

export const answers: FormReader = formReader({
  taken: takenSchema,
  right: z.looseObject({ code: okSchema }),
  refused: refusedSchema,
  outcomesOf,
  outcomesOfRefusal,
  meaningOf({ code, message }) {
    const row = REQUEST_CODES[code];
    return { row, verdict: { vendorCode: code, vendorMessage: message || row?.words } };
  },
});

function outcomesOf({ value, msgId }: Taken, { registrationIds, truncated }: Sent): readonly Outcome[] {
  const refused = new Map<string, Outcome>();
  for (const [code, targets] of Object.entries(value)) {
    const outcome = outcomeOf(code, DEVICE_CODES[code] ?? UNKNOWN_DEVICE);
    for (const target of targets) refused.set(target, outcome);
  }
  const taken = accepted(msgId || undefined, truncated);
  return registrationIds.map((id) => refused.get(id) ?? taken);
}

function outcomeOf(vendorCode: string, row: DeviceRow, vendorMessage = row.words): Outcome {
  if ('discard' in row) return { kind: 'discarded', reason: row.discard, vendorCode, vendorMessage };
  const { words: _, ...deferral } = row;
  return { kind: 'deferred', ...deferral, vendorCode, vendorMessage };
}

function outcomesOfRefusal(answer: Refused, { registrationIds }: Sent): readonly Outcome[] | undefined {
  const row = DEVICE_CODES[answer.code];
  if (row === undefined || !speaksAboutAll(answer.code, registrationIds)) return undefined;
  return registrationIds.map(() => outcomeOf(answer.code, row, answer.message || row.words));
}

/**
 * The vendor's Node SDK of 2017 lists codes of single targets as general ones too. A dead registration is believed for
 * a list of one only: it takes a device out of the audience.
 */
function speaksAboutAll(code: string, registrationIds: readonly string[]): boolean {
  const row = REQUEST_CODES[code];
  return row === undefined || ('device' in row && registrationIds.length === 1);
}
