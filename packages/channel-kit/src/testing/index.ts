export { isHttps, isTap, isUtcTime } from './android-checks';
export { describeAndroidNotice, describeAndroidSection, LIVES, TAP_OF_K } from './android-suite';
export { answerFixtures, answersToThree, faultThrownBy, htmlPage, responseWith } from './answer-fixtures';
export { describeFaults, describeFormAnswers, describeStatuses } from './answer-suite';
export { simulateBearer, type BearerCall } from './bearer-simulator';
export { BoundedMap } from './bounded-map';
export { cannedVendor } from './canned-vendor';
/** @public What `npm run new-channel` writes uses it. */
export { ClientCredentialsDesk } from './client-credentials-desk';
export { describeAttributeContract } from './contract-attributes';
export { describeChannelContract } from './contract-suite';
export { DeviceDesk, type SortedDevices } from './device-desk';
export { FaultBook, faultOf } from './fault-book';
export { FAULT_KINDS } from './fault-kinds';
export { memoryTokenStore } from './memory-token-store';
export { forgetfulVendor } from './forgetful-vendor';
export { openSimulator, type WrongAnswers } from './open-simulator';
export { bearsReplaceId } from './replace-ids';
export { batchFor, openSessionRig } from './session-rig';
export { expectChecked, expectUnsent } from './session-suite';
export {
  brokenAnswer,
  formTo,
  isGone,
  isMalformed,
  jsonAnswer,
  postTo,
  serverErrorPage,
  SIMULATOR_SECRET,
  type ChannelSimulator,
  type MakeSimulator,
  type SentMessage,
  type SimulatorAnswer,
  type SimulatorOptions,
  type SimulatorRequest,
  type WriteReceipt,
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
