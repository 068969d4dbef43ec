export { fatesOf, traitsOf, type ChannelTraits, type Fate, type FateOf, type FateRules } from './fate-of';
export { standingOf, unreachableText, type Standing, type StoredDevice, type Unreachable } from './standing';
export { unnamedFate, type UnnamedFate } from './unnamed-fate';
