import type { DevicePlan, Share } from './plan';
import type { Messages, Tally } from './tally';

/** What a process with devices is told. */
export type ToCrowd =
  { readonly kind: 'start'; readonly plan: DevicePlan; readonly share: Share } | { readonly kind: 'stop' };

/** What it tells. */
export type FromCrowd =
  | { readonly kind: 'tally'; readonly tally: Tally; readonly lastFailure?: string | undefined }
  | { readonly kind: 'hopeless'; readonly message: string }
  | { readonly kind: 'over'; readonly tally: Tally; readonly messages: Messages };
