import { MomentText, MomentTimeline } from "@findersfee/ui/components/timeline";
import { Link } from "@findersfee/ui/navigation";
import {
  Banknote,
  CalendarCheck,
  CreditCard,
  type LucideIcon,
  MousePointerClick,
  Pencil,
  Undo2,
  UserPlus,
  Wallet,
} from "lucide-react";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { useSession } from "../session/session.tsx";
import { Arithmetic } from "./arithmetic.tsx";
import { leadName } from "./lead-name.ts";
import { type Moment, momentsOf } from "./moments.ts";
import type { Story } from "./queries.ts";
import { SourceWords } from "./source-words.tsx";

const ICONS: Record<Moment["kind"], LucideIcon> = {
  source: MousePointerClick,
  payment: CreditCard,
  manual: Pencil,
  lead: MousePointerClick,
  recruit: UserPlus,
  adjustment: Pencil,
  entry: Wallet,
  payable: CalendarCheck,
  payout: Banknote,
  related: Undo2,
};

/** The events of a commission, from the click to the payout. */
export function StoryTimeline({ story }: { story: Story }) {
  return (
    <MomentTimeline moments={momentsOf(story)} icons={ICONS}>
      {(moment) => <Words moment={moment} story={story} />}
    </MomentTimeline>
  );
}

function Words({ moment, story }: { moment: Moment; story: Story }) {
  const { earnings } = useTexts();
  const { gain, month } = useFormats();
  const { program } = useSession();
  const { currency, customer } = story.earning;
  switch (moment.kind) {
    case "source":
      return <SourceWords source={moment.source} />;
    case "payment":
      return (
        <MomentText title={<span className="line-clamp-3">{earnings.paid(customer ?? "")}</span>}>
          {story.reason !== null && <Reason reason={story.reason} />}
          <Arithmetic payment={moment.payment} earning={story.earning} entries={story.entries} />
        </MomentText>
      );
    case "manual":
      return (
        <MomentText title={earnings.manual}>{earnings.manual_hint(program.organization_name)}</MomentText>
      );
    case "lead":
      return (
        <MomentText title={`${leadName(moment.lead, earnings)}: ${customer}`}>
          {earnings.lead_hint(program.organization_name)}
        </MomentText>
      );
    case "recruit":
      return (
        <MomentText title={earnings.of_recruit(story.earning.recruit?.name ?? "")}>
          {earnings.recruit_hint}
        </MomentText>
      );
    case "adjustment":
      return (
        <MomentText title={earnings.adjusted_by(program.organization_name)}>
          <span dir="auto" className="wrap-anywhere">
            {moment.reason}
          </span>
        </MomentText>
      );
    case "entry": {
      const { kind, amount, because } = moment.entry;
      return (
        <MomentText title={<Amount label={earnings.entries[kind]} amount={gain(amount, currency)} />}>
          {because !== null && earnings.because[because](program.organization_name)}
        </MomentText>
      );
    }
    case "payable":
      return <MomentText title={earnings.payable_on}>{earnings.payable_hint}</MomentText>;
    case "payout": {
      const { id, period, status } = moment.payout;
      return (
        <MomentText
          title={
            <Link to={`/payouts/${id}`} className="underline underline-offset-2">
              {earnings.payout_statuses[status](month(period))}
            </Link>
          }
        />
      );
    }
    case "related": {
      const { related, label } = moment;
      return (
        <MomentText
          title={
            <Link to={`/earnings/${related.id}`} className="block underline underline-offset-2">
              <Amount label={earnings[label]} amount={gain(related.commission_amount, currency)} />
            </Link>
          }
        />
      );
    }
  }
}

/** Why the customer is the affiliate's, where no evidence at the payment says so. */
function Reason({ reason: { kind, at } }: { reason: NonNullable<Story["reason"]> }) {
  const { earnings } = useTexts();
  const { day } = useFormats();
  const { program } = useSession();
  return <p>{earnings.reasons[kind](program.organization_name, at === null ? "" : day(at))}</p>;
}

function Amount({ label, amount }: { label: string; amount: string }) {
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      {label}
      <span className="tabular-nums">{amount}</span>
    </span>
  );
}
