/** Set FUZZ_SEED to the seed of a failure to see it again. */
export const FUZZ_SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
