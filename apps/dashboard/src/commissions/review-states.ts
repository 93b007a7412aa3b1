/** The states of reviews. */
export const review_states = { pending: "In review", approved: "Approved", rejected: "Rejected" };
