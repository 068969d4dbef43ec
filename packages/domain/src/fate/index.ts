export { fatesOf, traitsOf, type ChannelTraits, type Fate, type FateOf, type FateRules } from './fate-of';
export { unnamedFate, type UnnamedFate } from './unnamed-fate';
