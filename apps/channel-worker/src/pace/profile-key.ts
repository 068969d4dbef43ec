import type { ProfileOfChannel } from '@pushfleet/store';

/** What a profile is known by in the memory of a worker. */
export const profileKey = ({ app, profile }: ProfileOfChannel): string => `${app}/${profile}`;
