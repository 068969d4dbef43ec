/** Rules that ask for types: the check adds them where it has the types at hand, an editor does without. */
export const typedRules = {
  '@typescript-eslint/no-floating-promises': 'error',
};
