export { BoundedMap } from './bounded-map';
export { describeAttributeContract } from './contract-attributes';
export { describeChannelContract } from './contract-suite';
export { DeviceDesk, type SortedDevices } from './device-desk';
export { FaultBook, faultOf, type FaultOrder, type FaultWish, type Strike } from './fault-book';
export {
  defaultDelayMs,
  FAULT_KINDS,
  VENDOR_FAULTS,
  WIRE_FAULTS,
  type FaultKind,
  type VendorMisbehaviour,
  type WireFault,
} from './fault-kinds';
export { memoryTokenStore, type MemoryTokenStore } from './memory-token-store';
export { batchFor, openSessionRig, type SessionRig } from './session-rig';
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
} from './simulator';
export { simulatorHttp, type MisbehaviourPlan, type SimulatorHttp } from './simulator-http';
export { serveSimulator, type SimulatorServer } from './simulator-server';
export { answerUnder, readSimulatorRequest, sendReply, type Reply } from './simulator-wire';
export { StrictRules, type StrictRule } from './strict-rules';
export { TokenDesk, type IssuedToken } from './token-desk';
export {
  codePoints,
  fieldsOf,
  isFilledText,
  isIntegerIn,
  jsonBytesWithout,
  parseFields,
  type Fields,
} from './wire-checks';
