import { InvalidInput, MAX_SUBQUERY_RESULTS, subqueriesOf, withSubqueries, type JsonObject } from '@pushfleet/domain';

/** The installations that a condition without sub-queries holds for, at most `limit` of them. */
export type Find = (where: JsonObject, limit: number) => Promise<readonly JsonObject[]>;

/** The condition with its sub-queries answered, the innermost first. */
export async function answerSubqueries(where: JsonObject, find: Find): Promise<JsonObject> {
  const subqueries = subqueriesOf(where);
  if (subqueries.length === 0) return where;
  const results: (readonly JsonObject[])[] = [];
  for (const subquery of subqueries) {
    const found = await find(await answerSubqueries(subquery.where, find), MAX_SUBQUERY_RESULTS + 1);
    if (found.length > MAX_SUBQUERY_RESULTS)
      throw new InvalidInput('invalid-query', `where: a sub-query finds more than ${MAX_SUBQUERY_RESULTS} objects`);
    results.push(found);
  }
  return withSubqueries(where, results);
}
