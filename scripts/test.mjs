import { underLifeline } from './launch/under-lifeline.mjs';
import { testEverything } from './test/test-everything.mjs';

process.exit(await underLifeline(testEverything));
