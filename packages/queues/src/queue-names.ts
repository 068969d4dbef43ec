/** Every queue of the fleet. */
export const PUSH_REQUESTS = 'push-requests';
/** Pushes that wait for their time. */
export const PUSH_SCHEDULE = 'push-schedule';
export const RECEIPTS = 'receipts';
/** Addressed pushes of one channel: never behind a campaign. */
export const directQueue = (channel: string): string => `channel-${channel}`;
/** Lanes of one channel's audience pushes. */
export const bulkQueue = (channel: string): string => `channel-${channel}-bulk`;
