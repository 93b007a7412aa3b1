/** Retention of a security event. */
export const SECURITY_EVENTS_RETENTION_DAYS = 400;
