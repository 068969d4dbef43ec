import { z } from 'zod';

/** Fields of a schema that hold text, or are absent. */
export const optionalTexts = <Name extends string>(
  ...names: readonly Name[]
): Readonly<Record<Name, z.ZodOptional<z.ZodString>>> =>
  Object.fromEntries(names.map((name) => [name, z.string().optional()])) as Record<Name, z.ZodOptional<z.ZodString>>;
