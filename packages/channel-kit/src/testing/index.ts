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
