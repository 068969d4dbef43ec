export { openPurges, type Purges } from './open-purges';
