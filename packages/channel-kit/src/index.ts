export {
  defineChannel,
  originsOf,
  ReceiptRefused,
  type Capabilities,
  type ChannelDeps,
  type RawReceipt,
  type ReceiptAnswer,
  type VendorChannel,
} from './channel';
export { type ChannelSession, type PushBatch, type ShownText } from './vendor-session';
export { warnOfNames } from './warn-of-names';
export { lacksBody, noticeOf, noticeText, objectIn, withoutNotification } from './android-message';
export { buildAndroid } from './android-request';
export { androidMerge, checkAndroid, isCommon, placed, tapOf, type Places } from './android-section';
export { openBearerSession } from './bearer-session';
export { untilHourInChina, untilMidnightInChina } from './china-day';
export { faults, spentToday, type CodeRow, type Reading, type RequestRow } from './code-row';
export { readCoded, type CodedVendor } from './coded-answer';
export { accessTokenSchema, tokenKey } from './credentials';
export { hexDigest } from './digest';
export { ChannelFault, FAULT_POLICY, isChannelFault, type FaultCode, type FaultPolicy } from './fault';
export { formReader, type FormReader } from './form-answer';
export { FORM_TYPE, openFormSession } from './form-session';
export { given } from './given';
/** @public What `npm run new-channel` writes uses it. */
export { openHeaderSession } from './header-session';
export { tapIntent } from './intent';
export { shownAs, type BuiltRequest } from './message-preview';
export { NO_CHANNEL_NOTE, reservedNotes, withoutChannelName } from './notes';
export { accepted, discarded, type Sent } from './outcomes';
export { underOwnNames } from './profile-fields';
export { parseAnswer } from './parse-answer';
export { contentKey, openSavedContents, sendSaved } from './saved-contents';
export { refuseKeys, SectionProblem } from './section';
export { layOver, objectAt } from './section-objects';
export { sectionParsers } from './section-parsers';
export { fit, replaceKey } from './text';
export { openTokenCache } from './token-cache';
export {
  askForToken,
  openTokenSession,
  type AnswerForm,
  type Composed,
  type Deliver,
  type Delivery,
  type FetchToken,
} from './token-session';
export { openVendorHttp, type VendorHttp, type VendorResponse } from './vendor-http';
export { type VendorRequest } from './http-exchange';
export { vendorJson, vendorJsonObject } from './vendor-json';
