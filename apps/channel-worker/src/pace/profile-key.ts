import type { ProfileOfChannel } from '@pushfleet/store';

/** The key of a profile in the memory of a worker. */
export const profileKey = ({ app, profile }: ProfileOfChannel): string => `${app}/${profile}`;
