export { describeChannelContract } from './contract-suite';
export { memoryTokenStore, type MemoryTokenStore } from './memory-token-store';
export {
  isGone,
  isMalformed,
  jsonAnswer,
  SIMULATOR_SECRET,
  type ChannelSimulator,
  type SentMessage,
  type SimulatorAnswer,
  type SimulatorOptions,
  type SimulatorRequest,
  type VendorMisbehaviour,
} from './simulator';
export { simulatorHttp, type MisbehaviourPlan, type SimulatorHttp } from './simulator-http';
