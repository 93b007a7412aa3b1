import type { PaymentOutcomeName } from "@findersfee/contract/payment-decisions";

/** What the facts say: to the organization, which knows all names, and to the affiliate, who must learn of no others. */
export const verdicts = {
  nothing_known: {
    text: (email: string) =>
      `No payment of ${email} is known, so there is nothing that could earn a commission.`,
    answer: "We found no payment of this customer. It may have been made with another email address.",
  },
  not_near: {
    text: (email: string, day: string, closest: string) =>
      `${email} paid nothing within 3 days of ${day}. The closest payment is of ${closest}.`,
    answer: (day: string) => `We found no payment of this customer around ${day}.`,
  },
  earned_by_affiliate: {
    text: (name: string) => `${name} has already earned a commission for this payment.`,
    answer: "You have already earned a commission for this payment.",
  },
  earned_by_other: {
    text: (other: string) => `${other} has earned the commission for this payment.`,
    answer: "The commission for this payment belongs to somebody else, who referred the customer first.",
  },
  customer_of_other: {
    text: (other: string) => `The customer is a referral of ${other}, which is permanent.`,
    answer: "Somebody else referred this customer first.",
  },
  manual_commission: {
    text: "A commission for this payment was created by hand.",
    answer: "A commission for this payment exists already.",
  },
  click_expired: {
    text: (age: string, allowed: string) => `The click was ${age} old; the campaign counts ${allowed}.`,
    answer: (age: string, allowed: string) =>
      `The customer came through your link, but ${age} before the payment. A click counts for ${allowed}.`,
  },
  click_after_checkout: {
    text: "The click came only after the checkout had begun.",
    answer: "The customer came through your link only after the purchase had begun.",
  },
  affiliate_unapproved: {
    text: (name: string) => `${name} was not approved when this payment was decided.`,
    answer: "You were not part of the program yet when this payment was made.",
  },
  affiliate_banned: {
    text: (name: string) => `${name} is banned.`,
    answer: "Your account in this program is closed.",
  },
  self_referral: {
    text: (name: string) => `The customer is ${name}. Nobody earns a commission on their own purchase.`,
    answer: "Nobody earns a commission on their own purchase.",
  },
  existing_customer: {
    text: "The customer had paid before without an affiliate, and the campaign pays for new customers only.",
    answer: "This customer had bought before, and the program pays for new customers only.",
  },
  no_evidence: {
    text: (name: string) =>
      `No click and no promo code of ${name} is known for this payment. Only the report speaks for it.`,
    answer: "We found no click on your link and no use of your promo code by this customer.",
  },
  by_rules: {
    /** Of outcomes that are the same to everybody. */
    answers: {
      limit_reached:
        "The program pays for a limited time or number of payments, and this payment comes after it.",
      proration: "The program does not pay for changes of a running subscription.",
      nothing_paid: "Nothing was paid after discounts, tax and credit.",
      commission_is_zero: "The commission for this payment rounds to zero.",
      paid_before_referral: "The customer paid before you referred them.",
    } satisfies Partial<Record<PaymentOutcomeName, string>> as Partial<Record<PaymentOutcomeName, string>>,
    other: "This payment earns no commission by the rules of the program.",
  },
  somebody: "Another affiliate",
  days: (count: number) => (count === 1 ? "1 day" : `${count} days`),
};
