import { z } from 'zod';

/** What the references of several services say in the same words. */
export const WORDS = {
  instant: z.iso.datetime({ precision: 3 }),
  count: z.int().min(0),
  error: z.looseObject({
    code: z.int().describe('What went wrong, for programs.'),
    error: z.string().describe('The same for readers.'),
  }),
};
