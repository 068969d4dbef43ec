import { InvalidInput } from '../invalid-input';
import type { Json, JsonObject } from '../json';
import { interpret } from '../testing/interpret-where';
import { aDocument, anyWhere, IDS, randomFrom, SCALARS, TYPED } from '../testing/random-where';
import { compileWhere, parseWhere, subqueriesOf, withSubqueries } from '.';

const SEED = Number(process.env['WHERE_SEED'] ?? Date.now() % 1_000_000_000);

/** The condition with its sub-queries answered from a few documents. */
function answered(where: JsonObject, pool: readonly JsonObject[]): JsonObject {
  const found = subqueriesOf(where).map((subquery) => {
    const matches = compileWhere(answered(parseWhere(subquery.where), pool));
    return pool.filter(matches);
  });
  return withSubqueries(where, found);
}

/** A limit for what reads every installation may refuse a condition that is right otherwise. */
function parsed(where: unknown): JsonObject | undefined {
  try {
    return parseWhere(where);
  } catch (error) {
    if (error instanceof InvalidInput && error.message.includes('sub-queries')) return undefined;
    throw error;
  }
}

test(`random conditions mean the same to a plain interpreter (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  let held = 0;
  for (let round = 0; round < 4000; round += 1) {
    const where = anyWhere(random);
    const pool = IDS.map((objectId) => ({ ...aDocument(random), objectId }));
    const understood = parsed(where);
    if (!understood) continue;
    const matches = compileWhere(answered(understood, pool));
    for (let i = 0; i < 5; i += 1) {
      const doc = aDocument(random);
      const expected = interpret(where, doc, pool);
      held += Number(expected);
      if (matches(doc) !== expected) throw new Error(`${JSON.stringify({ seed: SEED, where, pool, doc, expected })}`);
    }
  }
  expect(held).toBeGreaterThan(2000);
  expect(held).toBeLessThan(18_000);
});

test(`random JSON is understood or refused, and never breaks anything (seed ${SEED})`, () => {
  const random = randomFrom(SEED + 1);
  const keys = ['a', 'a.b', 'createdAt', 'deviceProfile', '__type', '__proto__', 'constructor', '', '$', 'className'];
  const operators = `$and $or $nor $not $ne $lt $lte $gt $gte $in $nin $all $exists $size $regex $options $inQuery $notInQuery
    $select $dontSelect $nearSphere $maxDistance $maxDistanceInMiles $within $box $relatedTo $where where query key iso`;
  const names = [...keys, ...operators.split(/\s+/)];
  const values: readonly Json[] = [
    ...SCALARS,
    ...TYPED,
    'imx',
    '(',
    '[',
    '\\',
    '_Installation',
    'Date',
    'Pointer',
    1e308,
  ];
  const anything = (depth: number): Json => {
    if (depth === 0 || random.below(4) === 0) return random.pick(values);
    if (random.below(4) === 0) return random.list(3, () => anything(depth - 1));
    // Parsed, so that `__proto__` is a key like any other.
    const entries = random.list(
      3,
      () => `${JSON.stringify(random.pick(names))}:${JSON.stringify(anything(depth - 1))}`,
    );
    return JSON.parse(`{${entries.join()}}`) as JsonObject;
  };
  const outcomes = { understood: 0, refused: 0 };
  for (let round = 0; round < 20_000; round += 1) {
    const where = anything(5);
    try {
      compileWhere(parseWhere(where));
      outcomes.understood += 1;
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw new Error(JSON.stringify({ seed: SEED, where }), { cause: error });
      outcomes.refused += 1;
    }
  }
  expect(outcomes.understood).toBeGreaterThan(200);
  expect(outcomes.refused).toBeGreaterThan(2000);
});

test.each([
  ['lists', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
  ['objects', (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
  ['conditions', (depth: number) => '{"$or":['.repeat(depth) + '{}' + ']}'.repeat(depth)],
  ['groups', (depth: number) => JSON.stringify({ a: { $regex: '('.repeat(Math.min(depth, 1000)) } })],
])('%s in each other, however deep, are refused', (_, nested) => {
  for (const depth of [100, 5000, 100_000]) expect(() => parseWhere(JSON.parse(nested(depth)))).toThrow(InvalidInput);
});
