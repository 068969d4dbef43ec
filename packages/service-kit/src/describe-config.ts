import { z } from 'zod';

export interface ConfigVariable {
  readonly name: string;
  readonly description: string;
  /** The parsed default; `undefined` when there is none. */
  readonly default: unknown;
  readonly required: boolean;
  readonly secret: boolean;
}

/** `.default()` and its kin wrap a type without taking over what was said about it. */
const innerOf = (type: z.core.$ZodType): z.core.$ZodType | undefined => {
  const def = type._zod.def as { innerType?: z.core.$ZodType; in?: z.core.$ZodType };
  return def.innerType ?? def.in;
};

const metaOf = (type: z.core.$ZodType | undefined): Record<string, unknown> =>
  type === undefined ? {} : { ...metaOf(innerOf(type)), ...z.globalRegistry.get(type) };

/** Every variable of a schema, for the reference page and for the test that none is left undescribed. */
export function describeConfig(schema: z.ZodObject): ConfigVariable[] {
  return Object.entries(schema.shape).map(([name, type]) => {
    const { description = '', secret = false } = metaOf(type);
    const absent = z.safeParse(type, undefined);
    return {
      name,
      description: String(description),
      default: absent.data,
      required: !absent.success,
      secret: secret === true,
    };
  });
}
