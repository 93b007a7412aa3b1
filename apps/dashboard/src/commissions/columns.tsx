import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { nameOf } from "../affiliates/name.ts";
import type { CommissionRow } from "./queries.ts";
import { ruleOf } from "./rule.ts";
import { Status } from "./status.tsx";
import { texts } from "./texts.ts";

/** `fixed_currency`: the organization's, in which fixed rates are. */
export function commissionColumns(fixed_currency: string): readonly Column<CommissionRow>[] {
  return [
    {
      id: "date",
      header: texts.date,
      cell: ({ referral_date }) => <Time at={referral_date} />,
      narrow: "below",
      width: "w-34",
    },
    {
      id: "affiliate",
      header: texts.affiliate,
      cell: ({ affiliate }) => <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>,
      narrow: "above",
      strong: true,
    },
    {
      id: "customer",
      header: texts.customer,
      cell: ({ customer }) => <Untrusted lines={1}>{customer.email}</Untrusted>,
    },
    {
      id: "revenue",
      header: texts.revenue,
      cell: ({ revenue_amount, currency, lead, recruit }) =>
        lead === null && recruit === null ? <Money amount={revenue_amount} currency={currency} /> : "—",
      align: "end",
      width: "w-28",
    },
    {
      id: "rule",
      header: texts.rule,
      cell: (row) => ruleOf(row, fixed_currency),
      width: "w-40 max-full:w-32",
    },
    {
      id: "commission",
      header: texts.commission,
      cell: ({ commission_amount, currency, state }) => (
        <span className={state === "voided" ? "font-normal text-muted line-through" : ""}>
          <Money amount={commission_amount} currency={currency} />
        </span>
      ),
      align: "end",
      narrow: "above-end",
      strong: true,
      width: "w-32",
    },
    {
      id: "status",
      header: texts.status,
      cell: (row) => <Status {...row} />,
      narrow: "below-end",
      width: "w-52 max-full:w-44",
    },
  ];
}
