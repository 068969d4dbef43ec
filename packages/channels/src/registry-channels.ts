/** The channels, a line each: `npm run new-channel NAME` writes it. */
export { hms } from './hms';
export { honor } from './honor';
export { mi } from './mi';
export { mz } from './mz';
export { oppo } from './oppo';
export { vivo } from './vivo';
