/** The parts of the sentence about an affiliate's earnings. */
export const terms = {
  /** The rate of each payment: a percentage, or a fixed amount. */
  each_payment: (rate: string, is_percentage: boolean) =>
    `${rate} ${is_percentage ? "of" : "for"} each payment`,
  first_payments: (rate: string, is_percentage: boolean, count: number) => {
    const by = is_percentage ? "of" : "for";
    return count === 1
      ? `${rate} ${by} each customer’s first payment`
      : `${rate} ${by} each customer’s first ${count} payments`;
  },
  first_then: (first: string, is_percentage: boolean, later: string) =>
    `${first} ${is_percentage ? "of" : "for"} each customer’s first payment, then ${later}`,
  later: (rate: string, is_percentage: boolean) =>
    `${rate} ${is_percentage ? "of" : "for"} every payment after that`,
  later_up_to: (rate: string, is_percentage: boolean, count: number) =>
    `${rate} ${is_percentage ? "of" : "for"} every payment after that, up to ${count} payments in total`,
  months: (text: string, count: number) => `${text} for ${count === 1 ? "a month" : `${count} months`}`,
  unlimited: (text: string) => `${text}, for as long as the customer pays`,
  earn: (text: string) => `You earn ${text}.`,
  also: (leads: string) => `You also earn ${leads}.`,
  per_lead: (amount: string, kind: string) =>
    `${amount} per ${kind === "signup" ? "sign-up" : kind.replaceAll("_", " ")}`,
  differs: "Some payments earn a different rate.",
};
