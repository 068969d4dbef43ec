export { checkJsonLevels, checkQueryJson, levelsOf, nestsDeeper, valueNestsDeeper } from './json-levels';
export { jsonText, writeJson, withoutDeeper } from './deep-json';
export type { Limit, Limits } from './limit';
export { overLimit, shownLimit, type InputLimit } from './over-limit';
export { LIMIT_AREAS, LIMITS } from './table';
