import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { ruleSentence } from "@findersfee/ui/formats/rule-sentence";
import { rule_words } from "@findersfee/ui/formats/rule-words";
import { Link } from "@findersfee/ui/navigation";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { rateText } from "../../campaigns/rate-text.ts";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import type { Detail } from "../queries.ts";
import { ownRulesQuery, type RulePeriod } from "./queries.ts";
import { texts } from "./texts.ts";

const SetRateDialog = lazyPart(() => import("./set-rate-dialog.tsx"), "SetRateDialog");

/** The rate that counts for an affiliate: its own, or the campaign's. */
export function RateCard({ detail: { affiliate, erased } }: { detail: Detail }) {
  const session = useSession();
  const { data, error, refetch } = useQuery(ownRulesQuery(session, affiliate.id));
  const may_change = useMay("admin") && !erased;
  const [setting, setSetting] = useState(false);
  const periods = data?.periods ?? [];
  const current = currentOf(periods);
  const has_own = current !== undefined && current.rules.length > 0;
  return (
    <Card
      title={texts.title}
      beside={
        may_change && data !== undefined && <Button onClick={() => setSetting(true)}>{texts.set}</Button>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
        {data !== undefined && has_own && <OwnRate period={current} />}
        {data !== undefined && <CampaignRate affiliate={affiliate} own={has_own ? current.rules : []} />}
        {has_own && may_change && <UseCampaign affiliate_id={affiliate.id} />}
        {periods.length > 0 && (
          <Periods periods={periods} current={current} affiliate_id={affiliate.id} may_change={may_change} />
        )}
      </div>
      <Suspense>
        {setting && (
          <SetRateDialog
            ids={[affiliate.id]}
            rules={current?.rules ?? []}
            onClose={() => setSetting(false)}
          />
        )}
      </Suspense>
    </Card>
  );
}

/** The last one that has started. */
function currentOf(periods: readonly RulePeriod[]): RulePeriod | undefined {
  const now = new Date().toISOString();
  return periods.findLast(({ starts_at }) => starts_at <= now);
}

function Sentences({ rules }: { rules: RulePeriod["rules"] }) {
  return (
    <ol className={rules.length > 1 ? "list-decimal space-y-1 pl-5" : ""}>
      {rules.map((rule) => (
        <li key={rule.id} className="wrap-anywhere">
          {ruleSentence(rule, rule_words)}
        </li>
      ))}
    </ol>
  );
}

function OwnRate({ period: { rules, starts_at } }: { period: RulePeriod }) {
  return (
    <div>
      <Sentences rules={rules} />
      <p className="text-table text-muted">
        {texts.own_since} <Time at={starts_at} />
      </p>
    </div>
  );
}

function CampaignRate({
  affiliate: { campaign },
  own,
}: {
  affiliate: Detail["affiliate"];
  own: RulePeriod["rules"];
}) {
  const { home, organization } = useSession();
  const link = (
    <Link to={`${home}/campaigns/${campaign.id}/rules`} className="text-accent underline underline-offset-2">
      <bdi>{campaign.name}</bdi>
    </Link>
  );
  const rate = rateText(campaign, organization.currency);
  if (own.length > 0) {
    const takes_all = own.some(({ conditions }) => Object.keys(conditions).length === 0);
    return (
      <p className="text-table text-muted">
        {takes_all ? texts.instead : texts.otherwise} {rate} · {link}
      </p>
    );
  }
  return (
    <div>
      <p>{rate}</p>
      <p className="text-table text-muted">
        {texts.of_campaign} {link}
      </p>
    </div>
  );
}

function UseCampaign({ affiliate_id }: { affiliate_id: string }) {
  const { api } = useSession();
  const { change, busy } = useChange("affiliates");
  return (
    <div>
      <Button
        busy={busy}
        onClick={() =>
          change({
            run: () => api.affiliate_rules.set.mutate({ affiliate_ids: [affiliate_id], rules: [] }),
            toast: { text: texts.campaign_used },
          })
        }
      >
        {texts.use_campaign}
      </Button>
    </div>
  );
}

interface PeriodsProps {
  periods: readonly RulePeriod[];
  current: RulePeriod | undefined;
  affiliate_id: string;
  may_change: boolean;
}

/** All changes of the rate, newest first. */
function Periods({ periods, current, affiliate_id, may_change }: PeriodsProps) {
  const [removing, setRemoving] = useState<RulePeriod | null>(null);
  const { api } = useSession();
  const now = new Date().toISOString();
  return (
    <section className="border-t border-line pt-3">
      <h3 className="text-table font-medium">{texts.periods}</h3>
      <ul className="divide-y divide-line">
        {periods.toReversed().map((period) => (
          <li key={period.starts_at} className="flex items-start gap-3 py-2 text-table">
            <div className="min-w-0 flex-1">
              <p className="text-muted">
                {texts.from} <Time at={period.starts_at} />
                {period === current && ` · ${texts.current}`}
                {period.starts_at > now && ` · ${texts.planned}`}
              </p>
              {period.rules.length === 0 ? texts.back : <Sentences rules={period.rules} />}
              {period.note !== null && (
                <p className="text-muted">
                  <Untrusted>{period.note}</Untrusted>
                </p>
              )}
            </div>
            {may_change && (
              <Button
                look="quiet"
                aria-label={texts.remove_of(rateOf(period))}
                onClick={() => setRemoving(period)}
              >
                {texts.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <OrganizationDialog
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={texts.remove_title}
        confirm={texts.remove}
        done={texts.removed}
        look="danger"
        changes="affiliates"
        run={() => api.affiliate_rules.remove.mutate({ affiliate_id, starts_at: removing?.starts_at ?? "" })}
      >
        <p>{texts.remove_hint}</p>
      </OrganizationDialog>
    </section>
  );
}

function rateOf({ rules: [first] }: RulePeriod): string {
  return first === undefined ? texts.back : ruleSentence(first, rule_words);
}
