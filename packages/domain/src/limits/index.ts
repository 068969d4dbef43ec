export { checkJsonLevels, checkQueryLevels, nestsDeeper, valueNestsDeeper } from './json-levels';
export type { Limit, Limits } from './limit';
export { overLimit, shownLimit, type InputLimit } from './over-limit';
export { LIMIT_AREAS, LIMITS } from './table';
