/** How long a req_id keeps its first answer (LeanCloud push REST guide: five minutes). */
export const REQ_ID_MS = 300_000;
