import { Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton, ShortId } from "@findersfee/ui/components/copy";
import { Money, Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { nameOf } from "../affiliates/name.ts";
import { leadName } from "../attribution/lead-texts.ts";
import { monthOf } from "../payouts/month.ts";
import { useSession } from "../session/session.tsx";
import type { Story } from "./queries.ts";
import { story_texts } from "./story-texts.ts";
import { texts } from "./texts.ts";

export function StoryFacts({ story }: { story: Story }) {
  const { commission, affiliate, customer, lead, event, payout } = story;
  const { home } = useSession();
  const { processor_payment_id, revenue_amount, currency, id } = commission;
  return (
    <Facts narrow>
      <Fact label={texts.affiliate}>
        <Link to={`${home}/affiliates/${affiliate.id}`} className="text-accent underline underline-offset-2">
          <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>
        </Link>
      </Fact>
      <Fact label={texts.campaign}>
        <Link
          to={`${home}/campaigns/${affiliate.campaign.id}/rules`}
          className="text-accent underline underline-offset-2"
        >
          <Untrusted lines={1}>{affiliate.campaign.name}</Untrusted>
        </Link>
      </Fact>
      <Fact label={texts.customer}>
        <Untrusted lines={1}>{customer.email}</Untrusted>
      </Fact>
      {commission.recruit !== null ? (
        <Fact label={story_texts.recruit}>
          <Link
            to={`${home}/commissions/${commission.recruit.commission_id}`}
            className="text-accent underline underline-offset-2"
          >
            <Untrusted lines={1}>
              {story_texts.of_recruit(commission.recruit.percent, nameOf(commission.recruit.affiliate))}
            </Untrusted>
          </Link>
        </Fact>
      ) : commission.lead === null ? (
        <Fact label={story_texts.net_revenue}>
          <Money amount={revenue_amount} currency={currency} />
        </Fact>
      ) : (
        <Fact label={story_texts.lead}>{leadName(commission.lead)}</Fact>
      )}
      {lead !== null && lead.reference !== null && (
        <Fact label={story_texts.reference}>
          <Untrusted lines={1}>{lead.reference}</Untrusted>
        </Fact>
      )}
      {processor_payment_id !== null && (
        <Fact label={texts.payment_id}>
          <span className="flex min-w-0 items-center gap-1 font-mono text-meta">
            <span className="truncate" title={processor_payment_id}>
              {processor_payment_id}
            </span>
            <CopyButton text={processor_payment_id} quiet />
          </span>
        </Fact>
      )}
      <Fact label={texts.commission}>
        <ShortId id={id} />
      </Fact>
      <Fact label={story_texts.webhook}>
        {event === null ? (
          "—"
        ) : (
          <Link
            to={`${home}/developers/events/${event.id}`}
            className="text-accent underline underline-offset-2"
          >
            {deliveriesOf(event)}
          </Link>
        )}
      </Fact>
      {payout !== null && (
        <Fact label={texts.payout}>
          <Link to={`${home}/payouts/${payout.id}`} className="text-accent underline underline-offset-2">
            {monthOf(payout.period)}
          </Link>
        </Fact>
      )}
    </Facts>
  );
}

function deliveriesOf({ deliveries }: NonNullable<Story["event"]>): string {
  if (deliveries.length === 0) return story_texts.no_endpoints;
  const delivered = deliveries.filter(({ state }) => state === "delivered").length;
  return story_texts.delivered_to(delivered, deliveries.length);
}
