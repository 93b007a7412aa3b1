import { State, type StateTone } from "@findersfee/ui/components/state";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { Amounts } from "../../affiliates/amounts.tsx";
import { nameOf } from "../../affiliates/name.ts";
import { sentence_texts as override_texts } from "../../attribution/overrides/sentence-texts.ts";
import type { ReferralRow } from "./queries.ts";
import { texts } from "./texts.ts";

const TONES: Record<ReferralRow["subscription_status"], StateTone> = {
  active: "done",
  trialing: "waiting",
  past_due: "warning",
  canceled: "stopped",
  signed_up: "none",
};

interface StatusProps {
  status: ReferralRow["subscription_status"];
  /** Whether the customer's payments from now on earn nothing. */
  is_stopped: boolean;
}

export function SubscriptionStatus({ status, is_stopped }: StatusProps) {
  return (
    <State tone={TONES[status]}>
      {texts.statuses[status]}
      {is_stopped && <span className="text-warn"> · {override_texts.stopped}</span>}
    </State>
  );
}

export function referralColumns(home_currency: string): readonly Column<ReferralRow>[] {
  const amountsOf = (sums: ReferralRow["sums"], name: "revenue" | "commission") => (
    <Amounts
      amounts={sums.map(({ currency, [name]: amount }) => ({ amount, currency }))}
      home_currency={home_currency}
    />
  );
  return [
    {
      id: "email",
      header: texts.email,
      cell: ({ email }) => <Untrusted lines={1}>{email}</Untrusted>,
      narrow: "above",
      strong: true,
    },
    {
      id: "affiliate",
      header: texts.affiliate,
      cell: ({ affiliate }) => <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>,
      narrow: "below",
    },
    {
      id: "status",
      header: texts.status,
      cell: ({ subscription_status, is_stopped }) => (
        <SubscriptionStatus status={subscription_status} is_stopped={is_stopped} />
      ),
      narrow: "below-end",
      width: "w-52",
    },
    {
      id: "signed_up",
      header: texts.signed_up,
      cell: ({ signup_date }) => <Time at={signup_date} show="day" />,
      width: "w-28",
    },
    {
      id: "converted",
      header: texts.converted,
      cell: ({ converted_at }) => (converted_at === null ? "—" : <Time at={converted_at} show="day" />),
      width: "w-28",
    },
    {
      id: "revenue",
      header: texts.revenue,
      cell: ({ sums }) => amountsOf(sums, "revenue"),
      align: "end",
      roomy: true,
      width: "w-30",
    },
    {
      id: "commission",
      header: texts.commission,
      cell: ({ sums }) => amountsOf(sums, "commission"),
      align: "end",
      narrow: "above-end",
      strong: true,
      width: "w-30",
    },
    {
      id: "customer_id",
      header: texts.customer_id,
      extra: true,
      cell: ({ processor_customer_id }) => processor_customer_id ?? "—",
      width: "w-40",
    },
  ];
}
