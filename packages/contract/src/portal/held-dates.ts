/** More dates on which held commissions become due are summed up as the last one. Without zod, for browsers. */
export const MAX_HELD_DATES = 12;
