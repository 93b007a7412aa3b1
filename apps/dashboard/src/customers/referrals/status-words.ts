/** The states of customers' subscriptions. */
export const status_words = {
  active: "Active",
  trialing: "Trialing",
  past_due: "Past due",
  canceled: "Canceled",
  signed_up: "No subscription",
};
