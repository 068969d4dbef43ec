export { canonicalRequest, type SignedRequest } from './canonical-request';
export { openMacClient, type MacAnswer, type MacClient, type MacClientOptions, type MacToken } from './client';
export { isMacRefusal, MacRefusal, type MacRefusalCode } from './mac-refusal';
export { MAX_MAC_HEADER_LENGTH, parseMacHeader } from './parse-header';
export { openPublicOrigins, type Endpoint, type PublicOrigins } from './public-origins';
export {
  computeMac,
  formatMacHeader,
  isMacAlgorithm,
  MAC_ALGORITHMS,
  signRequest,
  type MacAlgorithm,
  type MacHeader,
  type MacSecret,
} from './sign';
export {
  verifyMac,
  type MacCredential,
  type NonceUse,
  type ReceivedRequest,
  type Redeemed,
  type VerifyPorts,
} from './verify';
