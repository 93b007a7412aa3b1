import { empty_profile } from "@findersfee/contract/affiliates/fields";
import { TimeSeries } from "@findersfee/ui/charts/time-series";
import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney, formatMoneyShort } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import { AdjustmentsCard } from "../../ledger/adjustments-card.tsx";
import { texts as payout_texts } from "../../payouts/texts.ts";
import { ownCurrencyFirst } from "../../session/own-currency-first.ts";
import { useSession } from "../../session/session.tsx";
import { FIELDS, other_fields, wordsOf } from "../fields.ts";
import { nameOf } from "../name.ts";
import type { Detail } from "../queries.ts";
import { RateCard } from "../rate/rate-card.tsx";
import { texts as list_texts } from "../texts.ts";
import { BalanceBar } from "./balance-bar.tsx";
import { RecruitsCard } from "./recruits-card.tsx";
import { texts } from "./texts.ts";
import { TiersCard } from "./tiers-card.tsx";

/** Money, months and the person. */
export function SummaryTab({ detail }: { detail: Detail }) {
  const { organization } = useSession();
  const balances = ownCurrencyFirst(detail.balances, organization.currency);
  return (
    <div className="grid grid-cols-1 items-start gap-6 full:grid-cols-[minmax(0,1fr)_320px]">
      <div className="grid min-w-0 grid-cols-1 gap-6">
        {detail.missing_rates !== undefined && (
          <p className="text-table text-warn">{payout_texts.rates_missing(detail.missing_rates)}</p>
        )}
        {balances.length === 0 && <Card title={texts.balances}>{texts.no_balance}</Card>}
        {balances.map((balance) => (
          <Card
            key={balance.currency}
            title={balances.length === 1 ? texts.balances : texts.balance_of(balance.currency)}
          >
            <BalanceBar balance={balance} affiliate_id={detail.affiliate.id} />
          </Card>
        ))}
        <AdjustmentsCard of={{ affiliate_id: detail.affiliate.id }} can_add={!detail.erased} />
        <Months detail={detail} />
      </div>
      <Person detail={detail} />
    </div>
  );
}

function Months({ detail: { months, currency } }: { detail: Detail }) {
  const { organization } = useSession();
  const total = months.reduce((sum, { earned }) => sum + earned, 0);
  if (months.every(({ earned, clicks }) => earned === 0 && clicks === 0)) return null;
  return (
    <Card>
      <TimeSeries
        title={texts.months}
        summary={texts.months_summary(formatMoney(total, currency))}
        points={months.map(({ month, earned }, index) => ({
          label: monthName(month),
          value: earned,
          is_open: index === months.length - 1,
        }))}
        formatValue={(value) => formatMoney(value, currency)}
        formatTick={(value) => formatMoneyShort(value, currency)}
        caption={texts.months_caption(organization.time_zone, currency)}
        height={180}
      />
    </Card>
  );
}

function monthName(month: string): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1, 1)).toLocaleDateString("en-US", {
    month: "short",
    year: "2-digit",
    timeZone: "UTC",
  });
}

/** Whether the person agreed to be the affiliate, and when. */
function Agreement({ detail: { agreed_at, disowned_at } }: { detail: Detail }) {
  const at = agreed_at ?? disowned_at;
  if (at === null) return texts.invited;
  return (
    <>
      {agreed_at === null ? texts.disowned : texts.agreed}
      <span className="text-muted">
        {" · "}
        <Time at={at} show="day" />
      </span>
    </>
  );
}

function Person({ detail }: { detail: Detail }) {
  const { affiliate, email_confirmed_at } = detail;
  const { home, organization } = useSession();
  const { email, payout_email, campaign, created_at, clicks, note, tags } = affiliate;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <RateCard detail={detail} />
      <Card title={texts.person}>
        <Facts narrow>
          <Fact label={FIELDS.email.label}>
            <span className="wrap-anywhere">{email}</span>
            {email_confirmed_at !== null && <span className="text-muted"> · {texts.confirmed}</span>}
          </Fact>
          {!detail.erased && organization.test_of === null && (
            <Fact label={list_texts.agreement}>
              <Agreement detail={detail} />
            </Fact>
          )}
          <Fact label={FIELDS.payout_email.label}>
            <span className="wrap-anywhere">{payout_email ?? texts.same_email}</span>
          </Fact>
          {other_fields.map(
            (name) =>
              affiliate[name] !== empty_profile[name] && (
                <Fact key={name} label={wordsOf(name).label}>
                  <Untrusted>{affiliate[name] ?? ""}</Untrusted>
                </Fact>
              ),
          )}
          {tags.length > 0 && (
            <Fact label={FIELDS.tags.label}>
              <ul className="flex flex-wrap gap-x-3">
                {tags.map((tag) => (
                  <li key={tag} className="min-w-0 wrap-anywhere">
                    <Link
                      to={`${home}/affiliates?tag=${encodeURIComponent(tag)}`}
                      className="text-accent underline underline-offset-2"
                    >
                      <Untrusted>{tag}</Untrusted>
                    </Link>
                  </li>
                ))}
              </ul>
            </Fact>
          )}
          <Fact label={texts.campaign}>
            <Link
              to={`${home}/campaigns/${campaign.id}/rules`}
              className="text-accent underline underline-offset-2"
            >
              <Untrusted>{campaign.name}</Untrusted>
            </Link>
          </Fact>
          {detail.recruiter !== null && (
            <Fact label={texts.recruited_by}>
              <Link
                to={`${home}/affiliates/${detail.recruiter.id}`}
                className="text-accent underline underline-offset-2"
              >
                <Untrusted>{nameOf(detail.recruiter)}</Untrusted>
              </Link>
            </Fact>
          )}
          <Fact label={texts.joined}>
            <Time at={created_at} />
          </Fact>
          <Fact label={texts.clicks}>{list_texts.count(clicks)}</Fact>
        </Facts>
      </Card>
      <TiersCard affiliate_id={affiliate.id} />
      <RecruitsCard detail={detail} />
      <Answers affiliate={affiliate} />
      {note !== null && (
        <Card title={FIELDS.note.label}>
          <div className="text-table">
            <Untrusted>{note}</Untrusted>
            <p className="pt-2 text-muted">{FIELDS.note.hint}</p>
          </div>
        </Card>
      )}
    </div>
  );
}

/** The affiliate's own words at signup, which it sees in the portal. */
function Answers({ affiliate: { details, custom_fields, campaign } }: { affiliate: Detail["affiliate"] }) {
  const answers = custom_fields.map(({ id, label, value }) => ({ id, label, value }));
  const question = campaign.details_text?.trim() || texts.about_them;
  if (details !== null) answers.unshift({ id: "details", label: question, value: details });
  if (answers.length === 0) return null;
  return (
    <Card title={texts.answers}>
      <dl className="grid gap-3 text-table">
        {answers.map(({ id, label, value }) => (
          <div key={id}>
            <dt dir="auto" className="text-muted">
              {label}
            </dt>
            <dd>
              <Untrusted>{value}</Untrusted>
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
