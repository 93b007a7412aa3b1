/** The states of adjustments. */
export const adjustment_states = {
  not_paid: "Due",
  pending: "In payout",
  paid: "Paid",
  voided: "Withdrawn",
};
