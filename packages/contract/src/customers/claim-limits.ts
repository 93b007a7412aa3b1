/* Limits of claims. Without zod, for pages. */

/** Around the day that an affiliate names, payments count as the claimed one. */
export const CLAIM_DAYS = 3;

/** Claims of one affiliate in a day. The limit keeps an affiliate from probing many addresses. */
export const MAX_CLAIMS_PER_DAY = 10;

/** More payments of an address are not shown. */
export const MAX_CLAIMED_PAYMENTS = 50;

/** Characters of an affiliate's evidence. */
export const MAX_CLAIM_NOTE = 2000;

/** Characters of the organization's words to the affiliate. */
export const MAX_CLAIM_ANSWER = 1000;
