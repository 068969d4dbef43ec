export { FORMAT_KEYS, formatKeys } from './keys';
export { FORMAT } from './migrations';
export { rememberSettled } from './remember-settled';
export { describeFormat, type FormatState, type FormatStore, openFormat } from './open-format';
