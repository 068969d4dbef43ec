export { CHANGES_PER_SAVE } from './apps';
export { checkJsonLevels, checkQueryJson, levelsOf, nestsDeeper } from './json-levels';
export { jsonText, writeJson, withoutDeeper } from './deep-json';
export { overLimit, type InputLimit } from './over-limit';
export { LIMIT_AREAS, LIMITS } from './table';
