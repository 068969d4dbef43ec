export { FORMAT_KEYS, formatKeys } from './keys';
export { FORMAT } from './migrations';
export { describeFormat, type FormatState, type FormatStore, openFormat } from './open-format';
