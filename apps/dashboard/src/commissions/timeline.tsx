import { leadOutcomes } from "@findersfee/contract/tracking/lead-outcomes";
import { MomentText, MomentTimeline } from "@findersfee/ui/components/timeline";
import { Money } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import {
  Banknote,
  CalendarCheck,
  CreditCard,
  Flag,
  type LucideIcon,
  MousePointerClick,
  Pencil,
  Undo2,
  Wallet,
} from "lucide-react";
import { nameOf } from "../affiliates/name.ts";
import { hostOf, pathOf } from "../attribution/addresses.ts";
import { leadName } from "../attribution/lead-texts.ts";
import { resultName } from "../attribution/result-texts.ts";
import { reversal_texts } from "../attribution/reversal-texts.ts";
import { ledger_kinds } from "../payouts/ledger-kinds.ts";
import { monthOf } from "../payouts/month.ts";
import { useSession } from "../session/session.tsx";
import { Cause } from "./cause.tsx";
import { Changes } from "./changes.tsx";
import { type Moment, momentsOf } from "./moments.ts";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";

const ICONS: Record<Moment["kind"], LucideIcon> = {
  click: MousePointerClick,
  payment: CreditCard,
  lead: Flag,
  ledger: Wallet,
  change: Pencil,
  taken_back: Undo2,
  payable: CalendarCheck,
  payout: Banknote,
  related: Undo2,
};

/** The history of a commission, from the click to the payout. */
export function StoryTimeline({ story }: { story: Story }) {
  return (
    <MomentTimeline moments={momentsOf(story)} icons={ICONS}>
      {(moment) => <Entry moment={moment} />}
    </MomentTimeline>
  );
}

function Entry({ moment }: { moment: Moment }) {
  const { home } = useSession();
  switch (moment.kind) {
    case "click":
      return <ClickEntry moment={moment} />;
    case "payment":
      return <PaymentEntry moment={moment} />;
    case "lead": {
      const { kind, outcome } = moment.lead;
      return <MomentText title={story_texts.lead_of(leadName(kind))}>{leadOutcomes[outcome]}</MomentText>;
    }
    case "ledger":
      return <LedgerEntry moment={moment} />;
    case "taken_back":
      return <TakenBackEntry moment={moment} />;
    case "change":
      return <Changes change={moment.change} />;
    case "payable":
      return <MomentText title={story_texts.may_be_paid}>{story_texts.may_be_paid_hint}</MomentText>;
    case "payout": {
      const month = monthOf(moment.payout.period);
      return (
        <MomentText
          title={
            <Link to={`${home}/payouts/${moment.payout.id}`} className="hover:underline">
              {moment.is_paid ? story_texts.payout_paid(month) : story_texts.in_payout(month)}
            </Link>
          }
        />
      );
    }
    case "related":
      return <RelatedEntry moment={moment} />;
  }
}

type Of<Kind extends Moment["kind"]> = { moment: Extract<Moment, { kind: Kind }> };

function ClickEntry({ moment: { candidate, click } }: Of<"click">) {
  const { result, affiliate } = candidate;
  const won = result === "won" && affiliate !== null;
  return (
    <MomentText
      title={
        <>
          {story_texts.clicked} <code className="font-mono text-table font-normal">{click.code}</code>
          {click.landing_url !== null && (
            <span className="font-normal text-muted"> {story_texts.on_page(pathOf(click.landing_url))}</span>
          )}
          {click.referrer !== null && (
            <span className="font-normal text-muted"> {story_texts.from_site(hostOf(click.referrer))}</span>
          )}
          {click.sub_id !== null && (
            <span className="font-normal text-muted"> {story_texts.with_sub_id(click.sub_id)}</span>
          )}
        </>
      }
    >
      <span dir="auto" className="line-clamp-2">
        {won ? story_texts.won_customer(nameOf(affiliate)) : story_texts.not_won(resultName(candidate))}
      </span>
    </MomentText>
  );
}

function PaymentEntry({ moment: { decision } }: Of<"payment">) {
  const { paid_amount, revenue_amount, currency, processor_payment_id } = decision;
  const money = (amount: number) => formatMoney(amount, currency);
  const tax = paid_amount - revenue_amount;
  return (
    <MomentText
      title={
        <>
          {story_texts.paid("")}
          <code className="font-mono text-table font-normal">{processor_payment_id}</code>
        </>
      }
    >
      <span className="tabular-nums">
        {tax > 0
          ? `${money(paid_amount)} − ${money(tax)} ${story_texts.tax} = ${money(revenue_amount)}`
          : money(revenue_amount)}
      </span>
    </MomentText>
  );
}

function TakenBackEntry({ moment: { part, is_return } }: Of<"taken_back">) {
  const { kind, subject, amount, currency } = part;
  return (
    <MomentText
      title={
        <span className="flex flex-wrap justify-between gap-x-4">
          {(is_return ? reversal_texts.returned : reversal_texts.taken)[kind]}
          <Money amount={amount} currency={currency} />
        </span>
      }
    >
      <code className="font-mono">{subject}</code>
    </MomentText>
  );
}

function LedgerEntry({ moment: { entry } }: Of<"ledger">) {
  const { kind, unpaid, currency, number, cause, cause_name } = entry;
  const amount = `${unpaid < 0 ? "−" : "+"}${formatMoney(Math.abs(unpaid), currency)}`;
  return (
    <MomentText
      title={
        <span className="flex flex-wrap justify-between gap-x-4">
          {ledger_kinds[kind]}
          <span className="tabular-nums">{amount}</span>
        </span>
      }
    >
      {story_texts.ledger(number)} · <Cause cause={cause} name={cause_name} />
    </MomentText>
  );
}

function RelatedEntry({ moment: { related, is_reversal } }: Of<"related">) {
  const { home } = useSession();
  const { id, commission_amount } = related;
  return (
    <MomentText
      title={
        <Link
          to={`${home}/commissions/${id}`}
          className="flex flex-wrap justify-between gap-x-4 hover:underline"
        >
          {is_reversal ? story_texts.related_reversal : story_texts.related_original}
          <Money amount={commission_amount} currency={related.currency} />
        </Link>
      }
    />
  );
}
