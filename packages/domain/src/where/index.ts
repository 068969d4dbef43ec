export { compileCondition, compileWhere, parseWhere } from './compile';
export type { Condition } from './condition';
export { nearestFirst } from './nearest-first';
export { MAX_SUBQUERY_RESULTS, subqueriesOf, withSubqueries } from './subqueries';
