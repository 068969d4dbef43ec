export { type AccessToken, type TokenStore } from './access-token';
export { appScopeSchema, coversApp, coversRole, roleSchema, ROLES, type AppScope, type Role } from './access';
export {
  appSettingsSchema,
  DEFAULT_APP_SETTINGS,
  keysOf,
  withNewKey,
  withoutReplaced,
  type App,
  type AppSettings,
  type AppSwitch,
  type AppWithKeys,
  type KeyOfApp,
  type MasterOnly,
  type ReplacedKey,
} from './app';
export { plainWords } from './plain-words';
export {
  ADDRESS_FIELDS,
  audienceOf,
  channelCovers,
  channelTermOf,
  coversOf,
  onlyChannelOf,
  withoutSubscriptions,
  type Audience,
  type TermOf,
} from './audience';
export { BoundedMap } from './bounded-map';
export { bucketsFor } from './bucket-facts';
export { parseCql, type CqlQuery } from './cql';
export { DAY_MS } from './day-ms';
export { isStillAhead } from './is-still-ahead';
export { applyClientSave } from './client-save';
export {
  fatesOf,
  standingOf,
  traitsOf,
  unnamedFate,
  unreachableText,
  type ChannelTraits,
  type Fate,
  type FateOf,
  type FateRules,
  type Standing,
  type StoredDevice,
  type UnnamedFate,
  type Unreachable,
} from './fate';
export { applySave, installationFieldsSchema, withoutOddAddress, type Installation } from './installation';
export { operationSchema } from './save-operations';
export { costsOf } from './budget-costs';
export { channelsOf } from './channels-of';
export { checkInstallation } from './installation-limits';
export { jsonIn, readJson, readNumber } from './exact-json';
export { chunksOf } from './chunks-of';
export { groupBy } from './group-by';
export { InvalidInput, type InputProblem } from './invalid-input';
export { isJsonObject, plainJsonIn, type Json, type JsonObject } from './json';
export {
  CHANGES_PER_SAVE,
  checkJsonLevels,
  checkQueryJson,
  jsonText,
  writeJson,
  LIMIT_AREAS,
  LIMITS,
  nestsDeeper,
  overLimit,
  withoutDeeper,
  type InputLimit,
} from './limits';
export { mergeRecords } from './merge-records';
export {
  CLIENT_ID_PATTERN,
  clientIdRule,
  CONVERSATION_ID_PATTERN,
  conversationOf,
  isClientId,
  mutableConversationOf,
  mutedIn,
  mutesSchema,
  offlineMessageSchema,
  offlinePushOf,
  requirePushable,
  parseOfflineMessage,
  type OfflineMessage,
  type OfflinePush,
} from './messaging';
export { CHANNEL_ATTRIBUTE, messageFor, type ChannelMessage, type PushContent } from './message';
export { comparatorOf, parseOrder, type OrderKey } from './order';
export {
  DEVICE_OUTCOMES,
  type Accepted,
  type Deferred,
  type DeviceOutcome,
  type Discarded,
  type Failed,
  type Outcome,
  type VendorVerdict,
  keptWords,
  MAX_WORDS_LENGTH,
  vendorWords,
} from './outcome';
export { deviceAtAddress, isAtAddress } from './device-at-address';
export { DESCRIBED_REASONS, type DescribedReason } from './described-reasons';
export {
  adviceFor,
  ADVICE_TEXTS,
  DISCARD_POLICY,
  FAILURE_POLICY,
  isFailureReason,
  type Advice,
  type DiscardReason,
  type FailureReason,
  type Reason,
} from './reasons';
export { WAIT_REASONS, WAIT_TEXTS, type WaitReason } from './wait-reasons';
export {
  budgetOf,
  repeatUnknownOf,
  type RepeatUnknown,
  commonProfileFields,
  credentialSchema,
  DEFAULT_PROFILE,
  hostNameSchema,
  isProfileName,
  packageNameSchema,
  profileOf,
  receiptChoiceOf,
  secretSchema,
  type Budget,
} from './profile';
export { ISO_DATE_PATTERN, LAST_DATE_MS, parseIsoDate } from './iso-date';
export { COLUMN_PATTERN, columnNameSchema } from './column-name';
export { hasMailbox, LARGEST_MAILBOX, ownMessage, ownRefusal } from './own-message';
export { callsFor, pageDevicesFor } from './page-devices';
export { parseKeys, selectorOf } from './selected-keys';
export { PAGE_DEVICES, type Lane, type LanePosition, type PageDevice, type StoredPage } from './plan';
export {
  FROM_SERVICES,
  imbalanceOf,
  MAX_SAMPLES,
  MAX_VERDICTS,
  PUSH_STATUSES,
  sum,
  type ChannelBooks,
  type PushRecord,
  type PushService,
  type PushStatus,
  type RecordedError,
  type RecordedWait,
  type RecordedWarning,
} from './push-record';
export type { SectionParsers } from './push-content';
export {
  ANSWER_WORDS,
  cancelledSchema,
  preflightSchema,
  preflightStateSchema,
  pushedSchema,
  waitSchema,
  warningsSchema,
} from './push-answers';
export { devicePushBodySchema, namedPushBodySchema, pushBodySchema, pushSectionSchema } from './push-fields';
export { clientPushView, pushView } from './push-view';
export { parseDevicePush } from './push-devices';
export { parseNamedPush } from './push-named';
export { parsePushRequest, type PushRequest } from './push-request';
export type { PushWarning } from './push-warnings';
export {
  COUNTED_RECEIPTS,
  isCountedReceipt,
  RECEIPT_ROUTE,
  receiptUrl,
  type CountedReceipt,
  type Receipt,
  type ReceiptAddress,
} from './receipt';
export { helpfulColumns } from './helpful-columns';
export { isOwnColumn, ownColumnsIn } from './own-columns';
export { unindexable } from './indexable-column';
export {
  bucketOf,
  bucketOfProfile,
  OTHER_PROFILES,
  OWN_CHANNEL,
  profileBucket,
  retiredFrom,
  sharedBucketOf,
  vendorOf,
  type RouteBucket,
} from './route';
export {
  asksForPartOfId,
  compileCondition,
  compileWhere,
  indexTextOf,
  indexTextsOf,
  MAX_SUBQUERY_RESULTS,
  nearestFirst,
  parseWhere,
  readWhere,
  subqueriesOf,
  withSubqueries,
  type Condition,
} from './where';
