import { ANSWER_WORDS } from '@pushfleet/domain';
import { z } from 'zod';

/** What the references of several services say in the same words. */
export const WORDS = {
  ...ANSWER_WORDS,
  error: z.looseObject({
    code: z.int().describe('What went wrong, for programs.'),
    error: z.string().describe('The same for readers.'),
  }),
};
