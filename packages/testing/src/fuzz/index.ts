export { hostileFrames, type HostileFrame } from './hostile-frames';
export type { FuzzTarget } from './hostile-requests';
export { FUZZ_SEED, runFuzz, type FuzzReport } from './run-fuzz';
export { runRawFuzz } from './run-raw-fuzz';
export { runSlowFuzz, type SlowTarget } from './run-slow-fuzz';
export { expectUnhurt, watchOthers } from './watch-others';
