import { Empty } from "@findersfee/ui/components/empty";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { Untrusted } from "@findersfee/ui/components/values";
import { useQuery } from "@tanstack/react-query";
import { Users } from "lucide-react";
import { useSearch } from "wouter";
import { useTexts } from "../../language/language.tsx";
import { type Formats, useFormats } from "../../language/use-formats.ts";
import { List } from "../../lists/list.tsx";
import type { Column } from "../../lists/rows.tsx";
import { useLive } from "../../live/use-live.ts";
import { programQuery } from "../../session/program.ts";
import { useSession } from "../../session/session.tsx";
import { Page } from "../../shell/page.tsx";
import type { Texts } from "../../texts/texts.ts";
import { type Referral, referralsQuery } from "./queries.ts";

/** The affiliate's referred customers, newest first. */
export function ReferralsPage() {
  const texts = useTexts();
  const formats = useFormats();
  const { program, api } = useSession();
  const parameters = new URLSearchParams(useSearch());
  const after = parameters.get("after");
  const before = parameters.get("before");
  const loaded = useQuery(
    referralsQuery(api, program.affiliate_id, after ? { after } : before ? { before } : {}),
  );
  const { data: terms } = useQuery(programQuery(api, program.affiliate_id));
  useLive();
  const { referrals } = texts;
  return (
    <Page title={referrals.title} document_title={`${referrals.title} · ${program.organization_name}`}>
      <List
        loaded={loaded}
        label={referrals.title}
        columns={columnsOf(texts, formats, terms?.campaign.limit_type ?? null)}
        keyOf={({ id }) => id}
        pageTo={(page) => `/referrals?${new URLSearchParams({ ...page })}`}
        empty={
          <Empty icon={Users} title={referrals.none}>
            {referrals.none_hint}
          </Empty>
        }
      />
    </Page>
  );
}

const TONES: Record<Referral["subscription_status"], StateTone> = {
  signed_up: "none",
  trialing: "waiting",
  active: "done",
  past_due: "warning",
  canceled: "stopped",
};

function columnsOf({ referrals }: Texts, formats: Formats, limit_type: string | null): Column<Referral>[] {
  const { day, money } = formats;
  return [
    {
      id: "customer",
      header: referrals.customer,
      cell: ({ customer }) => <Untrusted lines={1}>{customer}</Untrusted>,
      strong: true,
      phone: "above",
      width: 3.5,
    },
    {
      id: "status",
      header: referrals.status,
      cell: (referral) => (
        <State tone={hasBought(referral) ? "done" : TONES[referral.subscription_status]}>
          {hasBought(referral) ? referrals.bought : referrals.statuses[referral.subscription_status]}
        </State>
      ),
      phone: "below",
      width: 2,
    },
    {
      id: "since",
      header: referrals.since,
      cell: ({ signup_date }) => <time dateTime={signup_date}>{day(signup_date)}</time>,
      width: 2,
    },
    {
      id: "earns",
      header: referrals.earns,
      cell: (referral) => earnsUntil(referral, { referrals, day, limit_type }),
      width: 2.5,
    },
    {
      id: "earned",
      header: referrals.earned,
      cell: ({ earned }) =>
        earned.length === 0
          ? "—"
          : earned.map(({ amount, currency }) => (
              <span key={currency} className="block">
                {money(amount, currency)}
              </span>
            )),
      align: "end",
      strong: true,
      phone: "above-end",
      width: 2,
    },
  ];
}

/** A customer without a subscription who has paid. */
function hasBought({ subscription_status, converted_at }: Referral): boolean {
  return subscription_status === "signed_up" && converted_at !== null;
}

function earnsUntil(
  { earns_until, payments_left }: Referral,
  {
    referrals,
    day,
    limit_type,
  }: { referrals: Texts["referrals"]; day: Formats["day"]; limit_type: string | null },
): string {
  if (earns_until !== null) {
    const is_over = Date.parse(earns_until) <= Date.now();
    return is_over ? referrals.ended(day(earns_until)) : referrals.until(day(earns_until));
  }
  if (payments_left !== null) {
    return payments_left === 0 ? referrals.no_payments_left : referrals.payments_left(payments_left);
  }
  if (limit_type === null) return "";
  return limit_type === "months" ? referrals.from_first : referrals.always;
}
