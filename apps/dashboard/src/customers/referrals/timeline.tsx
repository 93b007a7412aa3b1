import { leadOutcomes } from "@findersfee/contract/tracking/lead-outcomes";
import { Timeline, TimelineItem } from "@findersfee/ui/components/timeline";
import { Money, Time } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import {
  BadgeCheck,
  CreditCard,
  FileText,
  Flag,
  Gavel,
  type LucideIcon,
  MousePointerClick,
  RefreshCw,
  ShoppingCart,
  Undo2,
  UserPlus,
} from "lucide-react";
import { nameOf } from "../../affiliates/name.ts";
import { hostOf, pathOf } from "../../attribution/addresses.ts";
import { leadName } from "../../attribution/lead-texts.ts";
import { labels } from "../../attribution/outcome-texts.ts";
import { Reason } from "../../attribution/overrides/override-sentence.tsx";
import { actorOf } from "../../audit-log/link/actor.ts";
import { useSession } from "../../session/session.tsx";
import type { Timeline as CustomerTimeline } from "./queries.ts";
import { texts } from "./texts.ts";

type Entry = CustomerTimeline["entries"][number];

const ICONS: Record<string, LucideIcon> = {
  click: MousePointerClick,
  referral: UserPlus,
  signup: UserPlus,
  customer: UserPlus,
  converted: BadgeCheck,
  checkout: ShoppingCart,
  payment: CreditCard,
  charge: CreditCard,
  refund: Undo2,
  dispute: Undo2,
  refunded_total: Undo2,
  subscription: RefreshCw,
  override: Gavel,
  lead: Flag,
};

/** All known events of the customer, in one of two orders. */
export function TimelineList({
  timeline,
  by_received,
}: {
  timeline: CustomerTimeline;
  by_received: boolean;
}) {
  const timeOf = (entry: Entry) =>
    by_received ? (entry.received_at ?? entry.occurred_at) : entry.occurred_at;
  const entries = timeline.entries.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)));
  return (
    <>
      {timeline.is_cut && <p className="pb-3 text-table text-muted">{texts.cut}</p>}
      <Timeline>
        {entries.map((entry) => (
          <TimelineItem
            key={`${entry.kind} ${entry.processor} ${entry.subject} ${entry.occurred_at}`}
            icon={ICONS[entry.kind] ?? FileText}
            at={timeOf(entry)}
          >
            <EntryText entry={entry} />
            <Other entry={entry} by_received={by_received} />
            <Changed entry={entry} />
          </TimelineItem>
        ))}
      </Timeline>
      {entries.length === 1 && <p className="text-table text-muted">{texts.nothing_known}</p>}
    </>
  );
}

function EntryText({ entry }: { entry: Entry }) {
  const { home } = useSession();
  const { kind, amount, status, click, affiliate, subject, override, lead } = entry;
  if (override !== null) return <OverrideText override={override} affiliate={affiliate} />;
  if (lead !== null) return <p className="font-medium wrap-anywhere">{texts.lead_of(leadName(lead.kind))}</p>;
  return (
    <>
      <p className="font-medium">
        {affiliate === null ? (
          (texts.kinds[kind] ?? kind)
        ) : (
          <Link to={`${home}/affiliates/${affiliate.id}`} className="hover:underline">
            <bdi>{texts.clicked(nameOf(affiliate))}</bdi>
          </Link>
        )}
        {status !== null && <span className="font-normal text-muted"> {status.replaceAll("_", " ")}</span>}
        {amount !== null && (
          <span className="ml-2">
            <Money {...amount} />
          </span>
        )}
      </p>
      {click !== null && (
        <p dir="auto" className="line-clamp-3 text-table text-muted">
          {[
            `?via=${click.code}`,
            click.landing_url === null ? [] : texts.on_page(pathOf(click.landing_url)),
            click.referrer === null ? [] : texts.from_host(hostOf(click.referrer)),
          ]
            .flat()
            .join(", ")}
        </p>
      )}
      {subject !== null && <p className="font-mono text-meta wrap-anywhere text-muted">{subject}</p>}
    </>
  );
}

/** A person's decision about the customer. */
function OverrideText({
  override: { type, change, reason, ...who },
  affiliate,
}: {
  override: NonNullable<Entry["override"]>;
  affiliate: Entry["affiliate"];
}) {
  const name = affiliate === null ? texts.an_affiliate : nameOf(affiliate);
  const actor = actorOf(who);
  return (
    <>
      <p dir="auto" className="font-medium wrap-anywhere">
        {change === "resumed" ? texts.resumed(actor) : texts.overrides[change][type](actor, name)}
      </p>
      {reason !== null && <Reason>{reason}</Reason>}
    </>
  );
}

/** The other one of the two times, if they differ by a minute. */
function Other({ entry: { occurred_at, received_at }, by_received }: { entry: Entry; by_received: boolean }) {
  if (received_at === null) return null;
  if (Math.abs(Date.parse(received_at) - Date.parse(occurred_at)) < 60_000) return null;
  return (
    <p className="text-meta text-muted">
      {by_received ? texts.happened_at : texts.received_at}{" "}
      <Time at={by_received ? occurred_at : received_at} />
    </p>
  );
}

/** The commission that came of it, and its entries of the ledger. */
function Changed({ entry: { decision, lead, ledger } }: { entry: Entry }) {
  const { home } = useSession();
  return (
    <>
      {decision !== null && (
        <p className="text-table">
          {decision.outcome === "commission"
            ? texts.earned
            : (labels[decision.outcome as keyof typeof labels] ?? decision.outcome)}{" "}
          <Link to={`${home}/payments/${decision.id}`} className="text-accent underline underline-offset-2">
            {texts.why}
          </Link>
        </p>
      )}
      {lead !== null && (
        <p className="text-table">
          {leadOutcomes[lead.outcome]}{" "}
          {lead.commission_id !== null && (
            <Link
              to={`${home}/commissions/${lead.commission_id}`}
              className="text-accent underline underline-offset-2"
            >
              {texts.show_commission}
            </Link>
          )}
        </p>
      )}
      {ledger.map(({ number, commission_id, unpaid, currency }) => (
        <p key={number} className="text-table text-muted tabular-nums">
          {texts.ledger(number)}{" "}
          <span className="text-ink">
            {unpaid > 0 ? "+" : ""}
            {formatMoney(unpaid, currency)}
          </span>{" "}
          {commission_id !== null && (
            <Link
              to={`${home}/commissions/${commission_id}`}
              className="text-accent underline underline-offset-2"
            >
              {texts.show_commission}
            </Link>
          )}
        </p>
      ))}
    </>
  );
}
