export { compileCondition, compileWhere, parseWhere } from './compile';
export type { Condition } from './condition';
export { indexTextOf, indexTextsOf } from './index-text';
export { nearestFirst } from './nearest-first';
export { asksForPartOfId } from './part-of-id';
export { readWhere } from './read-where';
export { MAX_SUBQUERY_RESULTS, subqueriesOf, withSubqueries } from './subqueries';
