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
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { nameOf } from "../affiliates/name.ts";
import { HistoryLink } from "../audit-log/link/history-link.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { Candidates } from "./candidates.tsx";
import { DecideAgain } from "./decide-again.tsx";
import { Earning } from "./earning.tsx";
import { labels, sentences, toneOf } from "./outcome-texts.ts";
import { type Explained, explanationQuery } from "./queries.ts";
import { Remedy } from "./remedy.tsx";
import { texts } from "./texts.ts";

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
  const { decision, candidates, customer, commission } = explained;
  const { home, organization } = useSession();
  const may_decide = useMay("admin");
  const [deciding, setDeciding] = useState(false);
  const { outcome, revenue_amount, currency } = decision;
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
              <State tone={toneOf(outcome)}>{labels[outcome]}</State>
            </p>
            <p>{sentences[outcome]}</p>
            <WrongReference explained={explained} />
          </div>
          <Remedy explained={explained} onFixed={() => setDeciding(true)} />
        </div>
        <div className="grid grid-cols-1 items-start gap-4 full:grid-cols-[minmax(0,1fr)_320px]">
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <Card title={texts.looked_at}>
              <Candidates candidates={candidates} />
            </Card>
            <Card title={texts.money}>
              <Earning payment={decision} fixed_currency={organization.currency} />
            </Card>
            <Reports explained={explained} />
          </div>
          <div className="grid min-w-0 grid-cols-1 gap-4">
            <Card title={texts.facts}>
              <PaymentFacts explained={explained} />
            </Card>
            <Since explained={explained} />
          </div>
        </div>
      </div>
      <DecideAgain ids={[decision.id]} open={deciding} onClose={() => setDeciding(false)} />
    </Page>
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

function PaymentFacts({ explained: { decision, customer, affiliate } }: { explained: Explained }) {
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
            <Untrusted key={email} lines={1}>
              {email}
            </Untrusted>
          ))}
          {customer.processor_ids.map((id) => (
            <Id key={id} id={id} />
          ))}
        </Fact>
      )}
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

/** The changes by refunds and corrections. */
function Since({ explained: { decision, commission } }: { explained: Explained }) {
  const { taken_back_amount, commission_amount, currency } = decision;
  const rows: [string, ReactNode][] = [];
  if (taken_back_amount > 0) {
    rows.push([texts.taken_back, <Money key="back" amount={-taken_back_amount} currency={currency} />]);
  }
  if (commission !== null && commission.commission_amount !== commission_amount) {
    rows.push([
      texts.commission_now,
      <Money key="now" amount={commission.commission_amount} currency={currency} />,
    ]);
  }
  return (
    <Card title={texts.since}>
      {rows.length === 0 ? (
        <p className="text-table text-muted">{texts.no_changes}</p>
      ) : (
        <Facts>
          {rows.map(([label, value]) => (
            <Fact key={label} label={label}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
    </Card>
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
