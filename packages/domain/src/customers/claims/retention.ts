/** Claims hold the addresses of customers, so they are deleted as clicks are. Commissions and the audit log stay. */
export const CLAIMS_RETENTION_DAYS = 400;
