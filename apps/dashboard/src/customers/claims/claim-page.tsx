import { Button } from "@findersfee/ui/components/button";
import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type ReactNode, Suspense, useState } from "react";
import { nameOf } from "../../affiliates/name.ts";
import { HistoryLink } from "../../audit-log/link/history-link.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { DetailPage } from "../../shell/detail-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { Day, useDay } from "./day.tsx";
import { Decided } from "./decided.tsx";
import { Overrule } from "./overrule.tsx";
import { type ClaimDetail, claimQuery } from "./queries.ts";
import { ClaimStatus } from "./state.tsx";
import { texts } from "./texts.ts";
import { verdictOf } from "./verdict.ts";

const ClaimedPayments = lazyPart(() => import("./payments.tsx"), "ClaimedPayments");
const AcceptDialog = lazyPart(() => import("./accept-dialog.tsx"), "AcceptDialog");
const DeclineDialog = lazyPart(() => import("./decline-dialog.tsx"), "DeclineDialog");

const route = getRouteApi("/o/$slug/claims/$id");

/** Is the affiliate right about a missing sale? */
export function ClaimPage() {
  const session = useSession();
  const { id } = route.useParams();
  const query = useQuery(claimQuery(session, id));
  const may_decide = useMay("admin");
  return (
    <DetailPage
      query={query}
      parent={{ to: `${session.home}/claims`, label: texts.title }}
      title={({ claim }) => texts.claim_of(nameOf(claim.affiliate))}
      beside={({ claim }) => (
        <span className="flex items-center gap-2 text-table">
          <ClaimStatus state={claim.state} />
          <HistoryLink of={claim.id} />
        </span>
      )}
      actions={(detail) => may_decide && <Actions key={detail.claim.id} detail={detail} />}
      width="text"
    >
      {(detail) => <Content detail={detail} />}
    </DetailPage>
  );
}

function Content({ detail }: { detail: ClaimDetail }) {
  const dayOf = useDay();
  const { tone, text } = verdictOf(detail, dayOf);
  const is_open = detail.claim.state === "open";
  return (
    <div className="grid grid-cols-1 gap-4 pt-2 pb-12">
      {is_open && (
        <section aria-label={texts.verdict} className="grid gap-1 rounded-card bg-sunk px-4 py-3">
          <p className="text-meta text-muted">
            <State tone={tone}>{texts.verdict}</State>
          </p>
          <p className="wrap-anywhere">{text}</p>
          <Overrule detail={detail} />
        </section>
      )}
      <div className="grid grid-cols-1 items-start gap-4 full:grid-cols-[320px_minmax(0,1fr)]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          {!is_open && (
            <Card title={texts.decision}>
              <Decided detail={detail} />
            </Card>
          )}
          <Card title={texts.claim}>
            <Report detail={detail} />
          </Card>
        </div>
        <Card title={texts.payments}>
          <Suspense fallback={<SkeletonRows rows={3} label={shell_texts.loading} />}>
            <ClaimedPayments detail={detail} />
          </Suspense>
        </Card>
      </div>
    </div>
  );
}

/** The claim as the affiliate wrote it, and the customer's referral. */
function Report({ detail: { claim, campaign, customer } }: { detail: ClaimDetail }) {
  const { home } = useSession();
  const { affiliate, email, note, paid_on, payment_known, created_at } = claim;
  return (
    <>
      <Facts narrow>
        <Fact label={texts.customer}>
          <span dir="auto" className="wrap-anywhere">
            {email === "" ? <span className="text-muted">{texts.erased}</span> : email}
          </span>
        </Fact>
        <Fact label={texts.paid_on}>
          <Day day={paid_on} />
        </Fact>
        {note !== "" && (
          <Fact label={texts.note}>
            <span dir="auto" className="block max-h-96 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
              {note}
            </span>
          </Fact>
        )}
        <Fact label={texts.reported}>
          <Time at={created_at} />
        </Fact>
        <Fact label={texts.payment}>{payment_known ? texts.known : texts.unknown}</Fact>
        <Fact label={texts.affiliate}>
          <NameLink to={`${home}/affiliates/${affiliate.id}`}>{nameOf(affiliate)}</NameLink>
        </Fact>
        <Fact label={texts.campaign}>
          <NameLink to={`${home}/campaigns/${campaign.id}/rules`}>{campaign.name}</NameLink>
        </Fact>
        <Fact label={texts.referral_of}>
          {customer === null ? (
            texts.nobody
          ) : (
            <NameLink to={`${home}/referrals/${customer.referral_id}`}>{nameOf(customer.affiliate)}</NameLink>
          )}
        </Fact>
      </Facts>
      <p className="pt-4 text-table">
        <Link to={`${home}/claims?affiliate=${affiliate.id}`} className="text-accent underline">
          {texts.others}
        </Link>
      </p>
    </>
  );
}

function NameLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className="block truncate text-accent underline">
      <bdi>{children}</bdi>
    </Link>
  );
}

/** The decision, until somebody has made it. A dialog stays when somebody else decides, and says so. */
function Actions({ detail }: { detail: ClaimDetail }) {
  const dayOf = useDay();
  const [deciding, setDeciding] = useState<"accept" | "decline" | null>(null);
  const is_open = detail.claim.state === "open";
  const is_payable = is_open && detail.payments.some(({ obstacle }) => obstacle === null);
  useShortcuts([
    ...(is_payable ? [{ keys: "a", label: texts.keys_accept, run: () => setDeciding("accept") }] : []),
    ...(is_open ? [{ keys: "d", label: texts.keys_decline, run: () => setDeciding("decline") }] : []),
  ]);
  const close = () => setDeciding(null);
  return (
    <>
      {is_open && (
        <Button look="danger" onClick={() => setDeciding("decline")}>
          {texts.decline}
        </Button>
      )}
      {is_payable && (
        <Button look="solid" onClick={() => setDeciding("accept")}>
          {texts.accept}
        </Button>
      )}
      <Suspense>
        {deciding === "accept" && <AcceptDialog detail={detail} onClose={close} />}
        {deciding === "decline" && (
          <DeclineDialog detail={detail} onClose={close} proposal={verdictOf(detail, dayOf).answer} />
        )}
      </Suspense>
    </>
  );
}
