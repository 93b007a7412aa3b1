import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Amounts } from "../../affiliates/amounts.tsx";
import { nameOf } from "../../affiliates/name.ts";
import { HistoryLink } from "../../audit-log/link/history-link.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { DetailPage } from "../../shell/detail-page.tsx";
import { Actions } from "./actions.tsx";
import { SubscriptionStatus } from "./columns.tsx";
import { Overrides, StopNotice } from "./overrides.tsx";
import { type Timeline, timelineQuery } from "./queries.ts";
import { texts } from "./texts.ts";
import { TimelineList } from "./timeline.tsx";

const route = getRouteApi("/o/$slug/referrals/$id");

/** A customer's affiliate and history. */
export function ReferralPage() {
  const session = useSession();
  const { id } = route.useParams();
  const { by } = route.useSearch();
  const query = useQuery(timelineQuery(session, id));
  const may_change = useMay("admin");
  const path = `${session.home}/referrals/${id}`;
  return (
    <DetailPage
      query={query}
      parent={{ to: `${session.home}/referrals`, label: texts.title }}
      title={({ referral }) => referral.email}
      beside={({ referral }) => (
        <span className="flex items-center gap-2">
          <SubscriptionStatus status={referral.subscription_status} is_stopped={referral.is_stopped} />
          <HistoryLink of={referral.id} />
        </span>
      )}
      actions={(timeline) =>
        may_change && timeline.referral.replaced_at === null && <Actions timeline={timeline} />
      }
      width="text"
    >
      {(timeline) => (
        <>
          {timeline.referral.replaced_at !== null && (
            <Notice tone="warn" title={texts.replaced}>
              {texts.replaced_hint}
            </Notice>
          )}
          <StopNotice timeline={timeline} />
          <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 pt-2 pb-12 full:grid-cols-[minmax(0,1fr)_320px]">
            <section aria-label={texts.timeline} className="min-w-0">
              <PageTabs
                label={texts.timeline}
                tabs={[
                  { to: path, label: texts.by_occurred, current: by === undefined },
                  { to: `${path}?by=received`, label: texts.by_received, current: by !== undefined },
                ]}
              />
              <p className="py-3 text-table text-muted">{texts.same_result}</p>
              <TimelineList timeline={timeline} by_received={by !== undefined} />
            </section>
            <div className="grid min-w-0 grid-cols-1 gap-4">
              {timeline.overrides.length > 0 && <Overrides overrides={timeline.overrides} />}
              <Card title={texts.facts}>
                <ReferralFacts referral={timeline.referral} />
              </Card>
            </div>
          </div>
        </>
      )}
    </DetailPage>
  );
}

function ReferralFacts({ referral }: { referral: Timeline["referral"] }) {
  const { home, organization } = useSession();
  const { affiliate, processor_customer_id, sums } = referral;
  const amountsOf = (name: "revenue" | "commission") => (
    <Amounts
      amounts={sums.map(({ currency, [name]: amount }) => ({ amount, currency }))}
      home_currency={organization.currency}
    />
  );
  return (
    <>
      <Facts narrow>
        <Fact label={texts.affiliate}>
          <Link to={`${home}/affiliates/${affiliate.id}`} className="block truncate text-accent underline">
            <bdi>{nameOf(affiliate)}</bdi>
          </Link>
        </Fact>
        <Fact label={texts.email}>
          {referral.email}
          {referral.email_is_manual && <ByHand />}
        </Fact>
        <Fact label={texts.customer_id}>
          {processor_customer_id === null ? (
            texts.none
          ) : (
            <span className="inline-flex max-w-full items-center gap-1">
              <span className="truncate font-mono text-meta">{processor_customer_id}</span>
              <CopyButton text={processor_customer_id} quiet />
            </span>
          )}
        </Fact>
        <Fact label={texts.since}>
          <Time at={referral.signup_date} />
        </Fact>
        <Fact label={texts.converted}>
          {referral.converted_at === null ? texts.not_converted : <Time at={referral.converted_at} />}
        </Fact>
        <Fact label={texts.revenue}>{amountsOf("revenue")}</Fact>
        <Fact label={texts.commission}>{amountsOf("commission")}</Fact>
      </Facts>
      <p className="pt-4 text-table text-muted">{texts.binds}</p>
    </>
  );
}

function ByHand() {
  return <span className="text-muted"> · {texts.set_by_hand}</span>;
}
