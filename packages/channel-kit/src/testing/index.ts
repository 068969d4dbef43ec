export { BoundedMap } from './bounded-map';
export { describeAttributeContract } from './contract-attributes';
export { describeChannelContract } from './contract-suite';
export { DeviceDesk, type SortedDevices } from './device-desk';
export { FaultBook, faultOf } from './fault-book';
export { FAULT_KINDS, type VendorMisbehaviour } from './fault-kinds';
export { memoryTokenStore } from './memory-token-store';
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
export { simulatorHttp, type SimulatorHttp } from './simulator-http';
export { answerUnder, readSimulatorRequest, sendReply, type Reply } from './simulator-wire';
export { StrictRules } from './strict-rules';
export { TokenDesk } from './token-desk';
export {
  codePoints,
  fieldsOf,
  isFilledText,
  isIntegerIn,
  jsonBytesWithout,
  parseFields,
  type Fields,
} from './wire-checks';
