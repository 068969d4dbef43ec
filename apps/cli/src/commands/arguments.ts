/** What more than one group of commands is about. */
export const APP = ['<app>', 'id of the app'] as const;
export const CHANNEL = ['<channel>', 'name of the channel, as `pushfleet channels list` shows it'] as const;
export const CLIENT = ['<client>', 'Client ID of the app'] as const;
export const USER = ['<user>', 'id of the user'] as const;
