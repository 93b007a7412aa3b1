import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import {
  Banknote,
  CalendarCheck,
  CreditCard,
  type LucideIcon,
  MousePointerClick,
  Pencil,
  Undo2,
  Wallet,
} from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { useSession } from "../session/session.tsx";
import { Arithmetic } from "./arithmetic.tsx";
import { MomentText } from "./moment-text.tsx";
import { type Moment, momentsOf } from "./moments.ts";
import type { Story } from "./queries.ts";
import { SourceWords } from "./source-words.tsx";

const ICONS: Record<Moment["kind"], LucideIcon> = {
  source: MousePointerClick,
  payment: CreditCard,
  manual: Pencil,
  entry: Wallet,
  payable: CalendarCheck,
  payout: Banknote,
  related: Undo2,
};

/** What happened to a commission, from the click to the payout. */
export function Timeline({ story }: { story: Story }) {
  const now = Date.now();
  return (
    <ol className="grid grid-cols-1">
      {momentsOf(story).map((moment) => (
        <Item key={moment.key} moment={moment} is_future={Date.parse(moment.at) > now}>
          <Words moment={moment} story={story} />
        </Item>
      ))}
    </ol>
  );
}

function Item({
  moment: { kind, at },
  is_future,
  children,
}: {
  moment: Moment;
  is_future: boolean;
  children: ReactNode;
}) {
  const Icon = ICONS[kind];
  return (
    <li className="group grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 tablet:grid-cols-[112px_28px_minmax(0,1fr)]">
      <p className="pt-1 text-right text-table text-muted max-tablet:col-start-2 max-tablet:row-start-1 max-tablet:text-left max-tablet:text-meta">
        <Time at={at} />
      </p>
      <div className="relative flex justify-center max-tablet:row-span-2 max-tablet:row-start-1">
        <span className="absolute top-7 bottom-0 w-px bg-line group-last:hidden" />
        <span
          className={`grid size-7 place-items-center rounded-full border bg-page text-muted ${is_future ? "border-dashed border-rule" : "border-line"}`}
        >
          <Icon aria-hidden size={14} />
        </span>
      </div>
      <div className="min-w-0 pt-0.5 pb-6 max-tablet:col-start-2 max-tablet:pt-0">{children}</div>
    </li>
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
        <MomentText title={<span className="line-clamp-3">{earnings.paid(customer)}</span>}>
          {story.source === null && <p>{earnings.known_hint}</p>}
          <Arithmetic payment={moment.payment} earning={story.earning} entries={story.entries} />
        </MomentText>
      );
    case "manual":
      return (
        <MomentText title={earnings.manual}>{earnings.manual_hint(program.organization_name)}</MomentText>
      );
    case "entry": {
      const { kind, amount } = moment.entry;
      return <MomentText title={<Amount label={earnings.entries[kind]} amount={gain(amount, currency)} />} />;
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
      const { related, is_reversal } = moment;
      return (
        <MomentText
          title={
            <Link to={`/earnings/${related.id}`} className="block underline underline-offset-2">
              <Amount
                label={is_reversal ? earnings.related_reversal : earnings.related_original}
                amount={gain(related.commission_amount, currency)}
              />
            </Link>
          }
        />
      );
    }
  }
}

function Amount({ label, amount }: { label: string; amount: string }) {
  return (
    <span className="flex flex-wrap justify-between gap-x-4">
      {label}
      <span className="tabular-nums">{amount}</span>
    </span>
  );
}
