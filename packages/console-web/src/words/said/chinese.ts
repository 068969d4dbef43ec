import { FINDINGS_ZH } from './findings-zh';
import { MESSAGES_ZH, PROBLEMS_ZH } from './problems-zh';
import { REASONS_ZH } from './reasons-zh';
import { sayWith } from './sentences';
import { THINGS_ZH } from './things-zh';
import { WORK_ZH } from './work-zh';

/** The words of the server in Chinese, and what its codes of errors mean. */
export const chinese = {
  say: sayWith({ ...REASONS_ZH, ...MESSAGES_ZH, ...THINGS_ZH, ...FINDINGS_ZH, ...WORK_ZH }),
  meaningOf: (code: number): string | undefined => PROBLEMS_ZH[code],
};

export type Sayings = typeof chinese;
