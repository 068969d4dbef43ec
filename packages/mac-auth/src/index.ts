export { openMacClient } from './client';
export { isMacRefusal } from './mac-refusal';
export { MAX_MAC_HEADER_LENGTH, parseMacHeader } from './parse-header';
export { openPublicOrigins } from './public-origins';
export { formatMacHeader, signRequest, type MacAlgorithm, type MacHeader } from './sign';
export { verifyMac, type NonceUse, type Redeemed } from './verify';
