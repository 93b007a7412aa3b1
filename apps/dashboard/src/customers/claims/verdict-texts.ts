import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import type { ClaimDetail } from "./queries.ts";

/** The verdict for the organization, which knows all names. */
export const verdicts = {
  nothing_known: (email: string) =>
    `No payments from ${email} are known, so nothing could earn a commission.`,
  not_near: (email: string, day: string, closest: string) =>
    `${email} paid nothing within 3 days of ${day}. The closest payment is from ${closest}.`,
  earned_by_affiliate: (name: string) => `${name} has already earned a commission for this payment.`,
  earned_by_other: (other: string) => `${other} has earned the commission for this payment.`,
  customer_of_other: (other: string) => `The customer is a referral of ${other}.`,
  manual_commission: "A commission for this payment was created manually.",
  click_expired: (age: number, allowed: number) =>
    `The click was ${daysInEnglish(age)} old; the campaign counts ${daysInEnglish(allowed)}.`,
  click_after_checkout: "The click came only after the checkout had started.",
  affiliate_unapproved: (name: string) => `${name} was not approved when this payment was decided.`,
  affiliate_banned: (name: string) => `${name} is banned.`,
  self_referral: (name: string) =>
    `The customer is ${name}. Nobody earns a commission on their own purchase.`,
  existing_customer:
    "The customer had paid before without an affiliate, and the campaign pays for new customers only.",
  no_evidence: (name: string) =>
    `No click or promo code of ${name} is known for this payment. The report is the only evidence.`,
  somebody: "Another affiliate",
};

/** For the affiliate, without the names of others. */
interface Answers {
  nothing_known: string;
  not_near: (day: string) => string;
  earned_by_affiliate: string;
  earned_by_other: string;
  customer_of_other: string;
  manual_commission: string;
  /** In days. */
  click_expired: (age: number, allowed: number) => string;
  click_after_checkout: string;
  affiliate_unapproved: string;
  affiliate_banned: string;
  self_referral: string;
  existing_customer: string;
  no_evidence: string;
  /** Outcomes that all affiliates may know. */
  outcomes: Partial<Record<PaymentOutcomeName, string>>;
  by_rules: string;
}

/** In the languages of the portal. */
export const answers: Record<ClaimDetail["language"], Answers> = {
  en: {
    nothing_known: "We found no payment of this customer. It may have been made with another email address.",
    not_near: (day) => `We found no payment of this customer around ${day}.`,
    earned_by_affiliate: "You have already earned a commission for this payment.",
    earned_by_other:
      "The commission for this payment belongs to someone else, who referred the customer first.",
    customer_of_other: "Someone else referred this customer first.",
    manual_commission: "A commission for this payment exists already.",
    click_expired: (age, allowed) =>
      `The customer came through your link, but ${daysInEnglish(age)} before the payment. A click counts for ${daysInEnglish(allowed)}.`,
    click_after_checkout: "The customer came through your link only after the purchase had begun.",
    affiliate_unapproved: "You were not part of the program yet when this payment was made.",
    affiliate_banned: "Your account in this program is closed.",
    self_referral: "Nobody earns a commission on their own purchase.",
    existing_customer: "This customer had bought before, and the program pays for new customers only.",
    no_evidence: "We found no click on your link and no use of your promo code by this customer.",
    outcomes: {
      limit_reached:
        "The program pays for a limited time or number of payments, and this payment comes after it.",
      proration: "The program does not pay for changes of a running subscription.",
      nothing_paid: "Nothing was paid after discounts, tax and credit.",
      product_excluded: "The program does not pay for what this customer bought.",
      excluded_by_rule: "The program does not pay for such payments.",
      commission_is_zero: "The commission for this payment rounds to zero.",
      paid_before_referral: "The customer paid before you referred them.",
    },
    by_rules: "This payment earns no commission by the rules of the program.",
  },
  de: {
    nothing_known:
      "Wir haben keine Zahlung dieses Kunden gefunden. Vielleicht wurde mit einer anderen E-Mail-Adresse gekauft.",
    not_near: (day) => `Wir haben um den ${day} keine Zahlung dieses Kunden gefunden.`,
    earned_by_affiliate: "Für diese Zahlung haben Sie bereits eine Provision bekommen.",
    earned_by_other:
      "Die Provision für diese Zahlung gehört jemand anderem, der den Kunden zuerst geworben hat.",
    customer_of_other: "Jemand anderes hat diesen Kunden zuerst geworben.",
    manual_commission: "Für diese Zahlung gibt es bereits eine Provision.",
    click_expired: (age, allowed) =>
      `Der Kunde kam über Ihren Link, aber ${daysInGerman(age)} vor der Zahlung. Ein Klick zählt ${daysInGerman(allowed)}.`,
    click_after_checkout: "Der Kunde kam erst über Ihren Link, als der Kauf schon begonnen hatte.",
    affiliate_unapproved: "Bei dieser Zahlung waren Sie noch nicht im Programm.",
    affiliate_banned: "Ihr Konto in diesem Programm ist geschlossen.",
    self_referral: "Für eigene Käufe gibt es keine Provision.",
    existing_customer: "Dieser Kunde hatte schon vorher gekauft, und das Programm zahlt nur für neue Kunden.",
    no_evidence:
      "Wir haben weder einen Klick dieses Kunden auf Ihren Link gefunden noch Ihren Gutscheincode bei seinem Kauf.",
    outcomes: {
      limit_reached:
        "Das Programm zahlt für eine begrenzte Zeit oder Zahl von Zahlungen, und diese Zahlung liegt danach.",
      proration: "Das Programm zahlt nicht für Änderungen eines laufenden Abonnements.",
      nothing_paid: "Nach Rabatten, Steuern und Guthaben wurde nichts gezahlt.",
      product_excluded: "Das Programm zahlt nicht für das, was dieser Kunde gekauft hat.",
      excluded_by_rule: "Das Programm zahlt nicht für solche Zahlungen.",
      commission_is_zero: "Die Provision für diese Zahlung ergibt gerundet null.",
      paid_before_referral: "Der Kunde hat gezahlt, bevor Sie ihn geworben haben.",
    },
    by_rules: "Für diese Zahlung gibt es nach den Regeln des Programms keine Provision.",
  },
};

function daysInEnglish(count: number): string {
  return count === 1 ? "1 day" : `${count} days`;
}

function daysInGerman(count: number): string {
  return count === 1 ? "einen Tag" : `${count} Tage`;
}
