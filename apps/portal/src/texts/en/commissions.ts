export const commissions = {
  states: {
    in_review: "In review",
    held: "Held",
    due: "Due",
    pending: "In payout",
    paid: "Paid",
    voided: "Canceled",
  },
  in_review: (organization: string) =>
    `${organization} checks some commissions before paying them. You don’t need to do anything.`,
  held_until: (day: string) => `Held until ${day}`,
  due_since: (day: string) => `Due since ${day}`,
  in_payout_of: (month: string) => `In the ${month} payout`,
  paid_in: (month: string) => `Paid in ${month}`,
  arrived: (amount: string, customer: string) => `New commission: ${amount} from ${customer}`,
  adjusted: (amount: string, reason: string) => `Your balance was adjusted: ${amount}, ${reason}`,
  /** Commissions and adjustments. */
  arrived_many: (count: number) => `${count} new earnings`,
  sale_missing: "Missing a sale?",
};
