import { showAmount, showPeriod } from "./amounts.ts";
import { facts, greeting, type MailContent, paragraph } from "./content.ts";

export interface PayoutPaid {
  organization_name: string;
  first_name: string;
  id: string;
  amount_minor: bigint;
  currency: string;
  period: string;
  payment_count: number;
  method: "manual" | "paypal" | "wise";
  payout_email: string | null;
}

const METHODS = { manual: null, paypal: "PayPal", wise: "Wise" } as const;

/** The mail to an affiliate about a paid payout. */
export function payoutPaid(data: PayoutPaid): MailContent {
  const { organization_name } = data;
  const amount = showAmount(data.amount_minor, data.currency);
  return {
    subject: `${organization_name} has paid you ${amount}`,
    heading: `${amount} is on its way to you`,
    blocks: [
      greeting(data),
      paragraph(
        `${organization_name} has paid your commissions. When the money arrives depends on the way it was sent.`,
      ),
      facts({
        Amount: amount,
        For: showPeriod(data.period),
        Commissions: String(data.payment_count),
        "Paid by": METHODS[data.method],
        "Paid to": data.payout_email,
        Reference: data.id,
      }),
    ],
    footer: [paragraph(`You get this email because you are an affiliate of ${organization_name}.`)],
  };
}
