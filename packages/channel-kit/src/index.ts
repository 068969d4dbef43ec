export {
  defineChannel,
  ReceiptRefused,
  type Capabilities,
  type ChannelDeps,
  type ChannelSession,
  type CredentialCheck,
  type PushBatch,
  type RawReceipt,
  type ReceiptAnswer,
  type VendorChannel,
} from './channel';
export { accepted } from './accepted';
export {
  attemptsOf,
  lacksBody,
  messageNotes,
  noticeOf,
  noticeText,
  secondsText,
  silentMessage,
  withoutNotification,
  withTextData,
} from './android-message';
export { openBearerSession, type BearerVendor, type BuiltRequest } from './bearer-session';
export { sinceMidnightInChina, untilMidnightInChina } from './china-day';
export { readRow, type CodeRow, type Reading } from './code-row';
export { checkOf, tokenKey, verifyByToken } from './credentials';
export { ChannelFault, FAULT_POLICY, isChannelFault, type FaultCode, type FaultPolicy } from './fault';
export { tapIntent } from './intent';
export { NO_CHANNEL_NOTE, reservedNotes, withNotes, withoutChannelName } from './notes';
export { underOwnNames } from './profile-fields';
export { faultOfStatus, parseAnswer } from './parse-answer';
export { readJson, readJsonObject } from './read-json';
export { openSavedContents } from './saved-contents';
export { refuseKeys, SectionProblem } from './section';
export { checkTap, layOver, objectAt, requireFewer, requireHttps } from './section-objects';
export { fit, replaceKey } from './text';
export { openTokenCache, withToken, type AccessToken } from './token-cache';
export { openVendorHttp, type VendorHttp, type VendorRequest, type VendorResponse } from './vendor-http';
