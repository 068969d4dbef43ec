import { accepted, formReader, type FormReader, type Sent } from '@pushfleet/channel-kit';
import { type Discarded, type Outcome } from '@pushfleet/domain';
import { z } from 'zod';
import { CODES, NO_VALID_TARGETS, OK_CODE } from './codes';

const wordSchema = z.string().optional().catch(undefined);
const codeSchema = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d{1,9}$/)
    .transform(Number),
]);
const okSchema = codeSchema.refine((code) => code === OK_CODE);
const idSchema = z.union([z.string(), z.int()]).transform(String).optional().catch(undefined);

const refusedSchema = z.looseObject({
  code: codeSchema.refine((code) => code !== OK_CODE),
  reason: wordSchema,
  description: wordSchema,
});

const takenSchema = z
  .looseObject({
    code: okSchema,
    data: z.looseObject({ id: idSchema, bad_regids: z.string().nullish() }).nullish(),
  })
  .transform(({ data }) => ({ id: data?.id, badIds: data?.bad_regids ?? '' }));

type Refused = z.infer<typeof refusedSchema>;

export const answers: FormReader = formReader({
  taken: takenSchema,
  right: z.looseObject({ code: okSchema }),
  refused: refusedSchema,
  outcomesOf({ id: messageId, badIds }, { registrationIds, truncated }) {
    const bad = new Set(badIds.split(',').filter((id) => id !== ''));
    const taken = accepted(messageId, truncated);
    return registrationIds.map((id) => (bad.has(id) ? gone({ vendorMessage: 'bad_regids' }) : taken));
  },
  outcomesOfRefusal,
  meaningOf: (answer) => ({ row: CODES[answer.code], verdict: verdictOf(answer) }),
});

function outcomesOfRefusal(answer: Refused, { registrationIds }: Sent): readonly Outcome[] | undefined {
  const row = CODES[answer.code];
  if (row !== undefined && 'device' in row && registrationIds.length === 1)
    return [gone({ ...verdictOf(answer), ...(row.mayPass ? { mayPass: true } : {}) })];
  // The code alone does not tell an invalid list from a failed send; the reason text is the vendor's only sign.
  const isListGone = answer.code === NO_VALID_TARGETS.code && answer.reason === NO_VALID_TARGETS.reason;
  return isListGone ? registrationIds.map(() => gone(verdictOf(answer))) : undefined;
}

const gone = (verdict: Omit<Discarded, 'kind' | 'reason'>): Discarded => ({
  kind: 'discarded',
  reason: 'registration-gone',
  ...verdict,
});

function verdictOf({ code, reason, description }: Refused): { vendorCode: string; vendorMessage: string } {
  const words = reason && description ? `${reason} (${description})` : reason || description;
  return { vendorCode: String(code), vendorMessage: words || (CODES[String(code)]?.words ?? '') };
}
