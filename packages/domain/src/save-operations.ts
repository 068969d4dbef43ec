import { z } from 'zod';
import { checked } from './checked';
import { exactSum } from './exact-json';
import { InvalidInput } from './invalid-input';
import { isJsonObject, type Json } from './json';
import { jsonText } from './limits';

const itemsSchema = z.array(z.unknown(), { error: 'must be an array' });
const amountSchema = z
  .union([z.number(), z.bigint()], { error: 'must be a number' })
  .meta({ type: 'number' })
  .nullish();
const bitsSchema = z.union([z.int(), z.bigint()], { error: 'must be a whole number' }).meta({ type: 'integer' });

/** Operations of the 1.1 storage API, in the place of a value. */
export const operationSchema = z.discriminatedUnion(
  '__op',
  [
    z.looseObject({ __op: z.literal('Delete') }),
    z.looseObject({ __op: z.enum(['Add', 'AddUnique', 'Remove']), objects: itemsSchema }),
    z.looseObject({ __op: z.enum(['Increment', 'Decrement']), amount: amountSchema }),
    z.looseObject({ __op: z.enum(['BitAnd', 'BitOr', 'BitXor']), value: bitsSchema }),
  ],
  { error: 'is not a supported operation' },
);

export const isOperation = (value: Json): boolean => isJsonObject(value) && typeof value['__op'] === 'string';

type Operation = z.output<typeof operationSchema>;
type Counting = Extract<Operation, { __op: 'Increment' | 'Decrement' | 'BitAnd' | 'BitOr' | 'BitXor' }>;

/** What becomes of a value; undefined where it is removed. Throws `InvalidInput` with the name. */
export function applyOperation(name: string, old: Json | undefined, input: Json): Json | undefined {
  const operation = checked(operationSchema, input, name);
  switch (operation.__op) {
    case 'Delete':
      return undefined;
    case 'Add':
    case 'AddUnique':
    case 'Remove':
      return LIST_OPERATIONS[operation.__op](list(name, old), operation.objects as readonly Json[]);
    default:
      return counted(name, old ?? 0, operation);
  }
}

function counted(name: string, old: Json, operation: Counting): number | bigint {
  switch (operation.__op) {
    case 'Increment':
      return exactSum(checked(counterSchema, old, name), operation.amount ?? 1);
    case 'Decrement':
      return exactSum(checked(counterSchema, old, name), -(operation.amount ?? 1));
    default:
      return withBits(operation.__op, checked(wholeSchema, old, name), operation.value);
  }
}

const LIST_OPERATIONS = {
  Add: (items: readonly Json[], more: readonly Json[]) => [...items, ...more],
  AddUnique: (items: readonly Json[], more: readonly Json[]) => unique([...items, ...more]),
  Remove: (items: readonly Json[], unwanted: readonly Json[]) => {
    const gone = new Set(unwanted.map(textOf));
    return items.filter((item) => !gone.has(textOf(item)));
  },
};

const BIT_OPERATIONS = {
  BitAnd: (a: bigint, b: bigint) => a & b,
  BitOr: (a: bigint, b: bigint) => a | b,
  BitXor: (a: bigint, b: bigint) => a ^ b,
};

/** JavaScript's own operators see 32 bits; the hosted service kept 64. */
const withBits = (operation: keyof typeof BIT_OPERATIONS, a: number | bigint, b: number | bigint): number | bigint =>
  exactSum(BIT_OPERATIONS[operation](BigInt(a), BigInt(b)), 0);

const counterSchema = z.union([z.number(), z.bigint()], { error: 'is not a number' });
const wholeSchema = z.union([z.int(), z.bigint()], { error: 'is not a whole number' });

function list(name: string, value: Json | undefined): readonly Json[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new InvalidInput('wrong-type', `${name}: is not an array`);
  return value as readonly Json[];
}

const textOf = (item: Json): string => jsonText(item);

const unique = (items: readonly Json[]): readonly Json[] => [
  ...new Map(items.map((item) => [textOf(item), item])).values(),
];
