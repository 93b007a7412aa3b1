import { wrongReferenceIn } from "@findersfee/contract/attribution/click-ids";
import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { Money, Time, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { Link } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { nameOf } from "../affiliates/name.ts";
import { HistoryLink } from "../audit-log/link/history-link.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { Candidates } from "./candidates.tsx";
import { Earning } from "./earning.tsx";
import { type Explained, explanationQuery } from "./queries.ts";
import { ReferredBy } from "./referred-by.tsx";
import { Remedy } from "./remedy.tsx";
import { reversal_texts } from "./reversal-texts.ts";
import { outcomeNow, sentenceNow } from "./reversals.ts";
import { texts } from "./texts.ts";

const DecideAgain = lazyPart(() => import("./decide-again.tsx"), "DecideAgain");
const Overridden = lazyPart(() => import("./overrides/overridden.tsx"), "Overridden");
const SignalsCard = lazyPart(() => import("./signals-card.tsx"), "SignalsCard");
const CreditDialog = lazyPart(() => import("./overrides/credit-dialog.tsx"), "CreditDialog");

const route = getRouteApi("/o/$slug/payments/$id");

/** The decision on one payment, explained. */
export function DecisionPage() {
  const session = useSession();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(explanationQuery(session, id));
  if (data !== undefined) return <Decision explained={data} />;
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const { status, code } = failureOf(error);
  if (status === 404 || code === "invalid_request") return <NotFoundPage />;
  return (
    <Page title={texts.title} parent={{ to: `${session.home}/payments`, label: texts.back_to_list }}>
      {error === null ? (
        <SkeletonRows label={shell_texts.loading} />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function Decision({ explained }: { explained: Explained }) {
  const { decision, candidates, customer, commission, referred_by, override } = explained;
  const { home, organization } = useSession();
  const may_decide = useMay("admin");
  const [deciding, setDeciding] = useState(false);
  const { revenue_amount, currency } = decision;
  const row = rowOf(explained);
  const now = outcomeNow(row);
  const title = texts.payment_of(
    formatMoney(revenue_amount, currency),
    customer.emails[0] ?? texts.unknown_sender,
  );
  return (
    <Page
      title={title}
      document_title={`${title} · ${organization.name}`}
      parent={{ to: `${home}/payments`, label: texts.back_to_list }}
      width="text"
      link={<HistoryLink of={decision.id} />}
      actions={
        <>
          {may_decide && isCreditable(decision) && <Credit payment_id={decision.processor_payment_id} />}
          {may_decide && <Button onClick={() => setDeciding(true)}>{texts.decide_again}</Button>}
          {commission !== null && (
            <ButtonLink to={`${home}/commissions/${commission.id}`}>{texts.show_commission}</ButtonLink>
          )}
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4 pt-2 pb-12">
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-card bg-sunk px-4 py-3">
          <div className="grid min-w-0 flex-1 basis-80 gap-1">
            <p className="font-medium">
              <State tone={now.tone}>{now.label}</State>
            </p>
            <p>{sentenceNow(row)}</p>
            <WrongReference explained={explained} />
          </div>
          <Remedy explained={explained} onFixed={() => setDeciding(true)} />
          {override !== null && (
            <Suspense>
              <Overridden override={override} />
            </Suspense>
          )}
        </div>
        <div className="grid grid-cols-1 items-start gap-4 full:grid-cols-[minmax(0,1fr)_320px]">
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <Card title={referred_by === null ? texts.looked_at : texts.referral}>
              {referred_by !== null && <ReferredBy referred_by={referred_by} />}
              {(referred_by === null || candidates.length > 0) && <Candidates candidates={candidates} />}
            </Card>
            {decision.explanation.signals !== undefined && (
              <Suspense>
                <SignalsCard signals={decision.explanation.signals} />
              </Suspense>
            )}
            <Card title={texts.money}>
              <EarningOf explained={explained} />
            </Card>
            <Reports explained={explained} />
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <Card title={texts.facts}>
              <PaymentFacts explained={explained} />
            </Card>
          </div>
        </div>
      </div>
      {deciding && (
        <Suspense>
          <DecideAgain ids={[decision.id]} open onClose={() => setDeciding(false)} />
        </Suspense>
      )}
    </Page>
  );
}

/** A payment that earned nothing can earn for an affiliate, if anything was paid. */
function isCreditable({ outcome }: Explained["decision"]): boolean {
  return outcome !== "commission" && outcome !== "commission_exists" && outcome !== "nothing_paid";
}

function Credit({ payment_id }: { payment_id: string }) {
  const [crediting, setCrediting] = useState(false);
  return (
    <>
      <Button onClick={() => setCrediting(true)}>{texts.credit}</Button>
      {crediting && (
        <Suspense>
          <CreditDialog processor_payment_id={payment_id} onClose={() => setCrediting(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The commonest mistake: the checkout has the merchant's own id where the click id belongs. */
function WrongReference({ explained: { decision, candidates } }: { explained: Explained }) {
  const wrong = decision.outcome === "no_referral" ? wrongReferenceIn(candidates) : null;
  if (wrong === null) return null;
  return (
    <p className="break-words">
      {texts.wrong_reference(wrong)}{" "}
      <a
        href={`${APPLICATION_PATH}/docs/processors#passing-the-click-to-stripe`}
        className="text-accent underline"
      >
        {texts.pass_the_click}
      </a>
    </p>
  );
}

/** The payment as lists have it. */
function rowOf({ decision, commission, remaining, taken_back }: Explained) {
  const kinds = new Set(taken_back.flatMap(({ kind, until }) => (until === null ? kind : [])));
  return {
    ...decision,
    taken_back_by: kinds.size > 1 ? ("refund_and_dispute" as const) : ([...kinds][0] ?? null),
    remaining:
      commission === null || remaining === null
        ? null
        : {
            commission_id: commission.id,
            amount: remaining.amount,
            voided: commission.payout_status === "voided",
          },
  };
}

/** How the commission was computed. A manual commission begins with the amount that a person set. */
function EarningOf({ explained: { decision, commission, remaining } }: { explained: Explained }) {
  const { organization } = useSession();
  const set =
    commission?.is_manual && remaining !== null
      ? remaining.changes.reduce((rest, { amount }) => rest - amount, remaining.amount)
      : null;
  return (
    <Earning
      payment={decision}
      fixed_currency={organization.currency}
      remaining={remaining}
      set_by_hand={set}
    />
  );
}

function PaymentFacts({
  explained: { decision, customer, affiliate, taken_back },
}: {
  explained: Explained;
}) {
  const { home } = useSession();
  return (
    <Facts narrow>
      <Fact label={texts.payment_id}>
        <Id id={decision.processor_payment_id} />
      </Fact>
      <Fact label={texts.paid}>
        <Time at={decision.paid_at} />
      </Fact>
      {(customer.emails.length > 0 || customer.processor_ids.length > 0) && (
        <Fact label={texts.customer}>
          {customer.emails.map((email) => (
            <Email key={email} email={email} referral_id={decision.referral_id} />
          ))}
          {customer.processor_ids.map((id) => (
            <Id key={id} id={id} />
          ))}
        </Fact>
      )}
      {taken_back.map(({ kind, subject, amount, currency, at, until }) => (
        <Fact key={subject} label={(until === null ? reversal_texts.taken : reversal_texts.returned)[kind]}>
          <Money amount={amount} currency={currency} />, <Time at={until ?? at} />
        </Fact>
      ))}
      {affiliate !== null && (
        <Fact label={texts.affiliate}>
          <Link to={`${home}/affiliates/${affiliate.id}`} className="text-accent underline">
            <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>
          </Link>
        </Fact>
      )}
      {affiliate !== null && (
        <Fact label={texts.campaign}>
          <Link to={`${home}/campaigns/${affiliate.campaign.id}/rules`} className="text-accent underline">
            <Untrusted lines={1}>{affiliate.campaign.name}</Untrusted>
          </Link>
        </Fact>
      )}
      <Fact label={texts.decided}>
        <Time at={decision.decided_at} />
      </Fact>
    </Facts>
  );
}

/** Leads to the customer's page, if an affiliate referred the customer. */
function Email({ email, referral_id }: { email: string; referral_id: string | null }) {
  const { home } = useSession();
  const text = <Untrusted lines={1}>{email}</Untrusted>;
  if (referral_id === null) return text;
  return (
    <Link to={`${home}/referrals/${referral_id}`} className="text-accent underline">
      {text}
    </Link>
  );
}

function Id({ id }: { id: string }) {
  return (
    <span className="flex min-w-0 items-center gap-1 font-mono text-meta">
      <span className="truncate" title={id}>
        {id}
      </span>
      <CopyButton text={id} quiet />
    </span>
  );
}

function Reports({ explained: { reports } }: { explained: Explained }) {
  if (reports.length === 0) return null;
  return (
    <Card title={texts.reports}>
      <ul className="grid gap-1 text-table">
        {reports.map(({ kind, subject, at, message_id }) => (
          <li
            key={`${kind} ${subject}`}
            className="grid grid-cols-[96px_120px_minmax(0,1fr)] gap-x-4 max-wide:grid-cols-[96px_minmax(0,1fr)]"
          >
            <span className="text-muted">
              <Time at={at} />
            </span>
            <span>{texts.report_kinds[kind] ?? kind}</span>
            <span className="truncate font-mono text-meta leading-5 text-muted max-wide:col-start-2">
              {subject} · {message_id}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
