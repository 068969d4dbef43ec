export { compileWhere, parseWhere } from './compile';
export { nearestFirst } from './nearest-first';
export { MAX_SUBQUERY_RESULTS, subqueriesOf, withSubqueries, type Subquery } from './subqueries';
