import { decimalsOfKnown } from "@findersfee/contract/currency-decimals";
import { useTexts as useComponentTexts } from "@findersfee/ui/texts";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { programQuery } from "../session/program.ts";
import { useSession } from "../session/session.tsx";
import type { Story } from "./queries.ts";

type Payment = NonNullable<Story["payment"]>;
type Step = Payment["steps"][number];

/** From the payment to the commission: the rates, the exact amount, and the rounded one. */
export function Arithmetic({
  payment: { steps, exact_amount },
  earning: { currency },
  entries,
}: {
  payment: Payment;
  earning: Story["earning"];
  entries: Story["entries"];
}) {
  const { earnings } = useTexts();
  const { locale } = useComponentTexts();
  const { money } = useFormats();
  const { program, api } = useSession();
  const { data } = useQuery(programQuery(api, program.affiliate_id));
  if (steps.length === 0) return null;
  const is_rounded = exact_amount?.includes(".") ?? false;
  const earned = entries.find(({ kind }) => kind === "earned");
  /** A fixed amount in the organization's currency, and in the payment's. The cap is in the payment's. */
  const fixedAmount = ({ rule, amount, conversion, ...step }: Step) => {
    if (rule === "commission_cap") return money(amount, currency);
    const own = money(amount, step.currency ?? data?.organization.currency ?? currency);
    if (conversion === null) return own;
    return earnings.converted(own, money(conversion.amount, conversion.currency), conversion.rate);
  };
  return (
    <dl className="mt-2 grid gap-1 rounded-control bg-sunk px-3 py-2 tabular-nums">
      {steps.map((step, index) => (
        <Line
          key={index}
          label={
            (step.rule === "product" || step.rule === "rule") && step.amount === 0
              ? earnings.excluded
              : earnings.rules[step.rule]
          }
        >
          {step.type === "percentage"
            ? `${(step.amount / 100).toLocaleString(locale, { style: "percent", maximumFractionDigits: 4 })} ${
                step.of_amount === null ? earnings.of_payment : earnings.of(money(step.of_amount, currency))
              }`
            : fixedAmount(step)}
        </Line>
      ))}
      {is_rounded && exact_amount !== null && (
        <Line label={earnings.exact}>{exactMoney(exact_amount, { currency, locale })}</Line>
      )}
      {earned !== undefined && (
        <Line label={is_rounded ? earnings.rounded : earnings.entries.earned} strong>
          {money(earned.amount, currency)}
        </Line>
      )}
    </dl>
  );
}

function Line({ label, strong = false, children }: { label: string; strong?: boolean; children: string }) {
  return (
    <div className={`flex flex-wrap justify-between gap-x-4 ${strong ? "font-medium text-ink" : ""}`}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An exact amount in minor units, such as `1469.5`, in major ones with all of its decimals: `$14.695`. */
function exactMoney(minor: string, { currency, locale }: { currency: string; locale: string }): string {
  const decimals = decimalsOfKnown(currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: 20,
  })
    .format(Number(`${minor}e-${decimals}`))
    .replace("-", "−");
}
