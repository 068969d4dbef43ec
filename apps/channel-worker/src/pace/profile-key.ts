/** The key of a profile in the memory of a worker is that of the states that workers share. */
export { profileKey, profileOfKey } from '@pushfleet/store';
