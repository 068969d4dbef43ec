export { collectGarbage } from './collect-garbage';
export { hostileFrames, type HostileFrame } from './hostile-frames';
export { FUZZ_SEED } from './fuzz-seed';
export { runFuzz } from './run-fuzz';
export { runRawFuzz } from './run-raw-fuzz';
export { runSlowFuzz } from './run-slow-fuzz';
export { expectUnhurt, watchOthers } from './watch-others';
