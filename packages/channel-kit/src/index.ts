export {
  defineChannel,
  ReceiptRefused,
  type Capabilities,
  type ChannelDefinition,
  type ChannelDeps,
  type ChannelSession,
  type CredentialCheck,
  type PushBatch,
  type RawReceipt,
  type ReceiptAnswer,
  type VendorChannel,
} from './channel';
export { ChannelFault, FAULT_POLICY, isChannelFault, type FaultCode, type FaultPolicy } from './fault';
export { tapIntent } from './intent';
export { NO_CHANNEL_NOTE, reservedNotes, withNotes, withoutChannelName } from './notes';
export { underOwnNames } from './profile-fields';
export { faultOfStatus, parseAnswer } from './parse-answer';
export { refuseKeys, SectionProblem } from './section';
export { fit, replaceKey } from './text';
export { openTokenCache, withToken, type AccessToken, type TokenCache, type TokenStore } from './token-cache';
export { openVendorHttp, type VendorHttp, type VendorRequest, type VendorResponse } from './vendor-http';
