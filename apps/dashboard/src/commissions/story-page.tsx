import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { formatMoney } from "@findersfee/ui/formats/money";
import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { nameOf } from "../affiliates/name.ts";
import { HistoryLink } from "../audit-log/link/history-link.tsx";
import { AdjustmentsCard } from "../ledger/adjustments-card.tsx";
import { adjustmentsQuery } from "../ledger/queries.ts";
import { adjustment_texts } from "../ledger/texts.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { type Story, storyQuery } from "./queries.ts";
import { review_texts } from "./review-texts.ts";
import { Status } from "./status.tsx";
import { story_texts } from "./story-texts.ts";
import { CommissionSum } from "./sum.tsx";
import { texts } from "./texts.ts";
import { StoryTimeline } from "./timeline.tsx";
import { useReview } from "./use-review.ts";
import { useSetStatus } from "./use-set-status.ts";

const StoryFacts = lazyPart(() => import("./story-facts.tsx"), "StoryFacts");
const Reasons = lazyPart(() => import("./reasons.tsx"), "Reasons");
const AdjustDialog = lazyPart(() => import("../ledger/adjust-dialog.tsx"), "AdjustDialog");
const CorrectDialog = lazyPart(() => import("./correct-dialog.tsx"), "CorrectDialog");
const ReviewCard = lazyPart(() => import("./review-card.tsx"), "ReviewCard");
const RejectDialog = lazyPart(() => import("./reject-dialog.tsx"), "RejectDialog");
const VoidDialog = lazyPart(() => import("./void-dialog.tsx"), "VoidDialog");

const route = getRouteApi("/o/$slug/commissions/$id");

/** A commission, with its history and the reasons for its amount. */
export function StoryPage() {
  const session = useSession();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(storyQuery(session, id));
  if (data !== undefined) return <StoryOf story={data} />;
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  const { status, code } = failureOf(error);
  if (status === 404 || code === "invalid_request") return <NotFoundPage />;
  return (
    <Page title={texts.title} parent={{ to: `${session.home}/commissions`, label: texts.title }}>
      {error === null ? (
        <SkeletonRows label={shell_texts.loading} />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function StoryOf({ story }: { story: Story }) {
  const { commission, affiliate, payout, remaining } = story;
  const { home, organization } = useSession();
  const title = story_texts.for(
    formatMoney(
      commission.reversal_of === null ? remaining.amount : commission.commission_amount,
      commission.currency,
    ),
    nameOf(affiliate),
  );
  return (
    <Page
      key={commission.id}
      title={title}
      document_title={`${title} · ${organization.name}`}
      parent={{ to: `${home}/commissions`, label: texts.title }}
      beside={
        <span className="text-table">
          <Status {...commission} payout={payout} voided_by={voidedBy(story)} />
        </span>
      }
      width="text"
      link={<HistoryLink of={commission.id} />}
      actions={<Actions story={story} />}
    >
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 pt-2 pb-12 full:grid-cols-[minmax(0,1fr)_320px]">
        <section aria-label={story_texts.story} className="min-w-0">
          <StoryTimeline story={story} />
          <CommissionSum story={story} />
        </section>
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <Suspense>
            <Card title={story_texts.facts}>
              <StoryFacts story={story} />
            </Card>
            <ReviewCard story={story} />
            <AdjustmentsCard of={{ commission_id: commission.id }} />
            <Reasons story={story} />
          </Suspense>
        </div>
      </div>
    </Page>
  );
}

/** Null: a person voided it, or it is not void. */
function voidedBy({ remaining, taken_back_by }: Story): Story["taken_back_by"] {
  const by_person = ["changed", "voided", "restored"];
  const last = remaining.changes.at(-1);
  return last === undefined || by_person.includes(last.kind) ? null : taken_back_by;
}

/** The rest of a commission after its adjustments. 0 until these are known. */
function useClawable(commission_id: string, remaining: number): number {
  const { data } = useQuery(adjustmentsQuery(useSession(), { commission_id }));
  if (data === undefined) return 0;
  const live = data.adjustments.filter(({ payout_status }) => payout_status !== "voided");
  const left = live.reduce((sum, { amount }) => sum + amount, remaining);
  // No currency has more decimals.
  return Number(left.toFixed(3));
}

function Actions({ story }: { story: Story }) {
  const { commission, affiliate, decision, remaining } = story;
  const { home } = useSession();
  const may_change = useMay("admin");
  const { run, busy } = useSetStatus();
  const [correcting, setCorrecting] = useState(false);
  const [voiding, setVoiding] = useState(false);
  const [clawing_back, setClawingBack] = useState(false);
  const clawable = useClawable(commission.id, remaining.amount);
  const { id, state } = commission;
  const is_locked = state === "pending" || state === "paid";
  return (
    <>
      {decision !== null && (
        <ButtonLink to={`${home}/payments/${decision.id}`}>{story_texts.show_decision}</ButtonLink>
      )}
      {may_change && state === "paid" && commission.reversal_of === null && clawable > 0 && (
        <>
          <Button look="danger" onClick={() => setClawingBack(true)}>
            {adjustment_texts.claw_back_start}
          </Button>
          <Suspense>
            {clawing_back && (
              <AdjustDialog
                affiliate_id={affiliate.id}
                commission={{ ...commission, amount: clawable }}
                onClose={() => setClawingBack(false)}
              />
            )}
          </Suspense>
        </>
      )}
      {may_change && <ReviewButtons story={story} />}
      {may_change && !is_locked && (
        <>
          <Button onClick={() => setCorrecting(true)}>{story_texts.correct}</Button>
          {commission.review_state === "rejected" ? null : state === "voided" ? (
            <>
              <KeepButton story={story} />
              <Button busy={busy} onClick={() => run("restore", [id])}>
                {texts.restore}
              </Button>
            </>
          ) : (
            <Button look="danger" busy={busy} onClick={() => setVoiding(true)}>
              {texts.void}
            </Button>
          )}
          <Suspense>
            {voiding && (
              <VoidDialog
                count={1}
                open
                onClose={() => setVoiding(false)}
                onVoid={(reason) => run("void", [id], reason)}
              />
            )}
          </Suspense>
          <Suspense>
            {correcting && (
              <CorrectDialog commission={commission} open onClose={() => setCorrecting(false)} />
            )}
          </Suspense>
        </>
      )}
    </>
  );
}

/** Approves or rejects a commission in review; approves a rejected one. */
function ReviewButtons({ story: { commission, affiliate } }: { story: Story }) {
  const { run, busy } = useReview();
  const [rejecting, setRejecting] = useState(false);
  const { id, review_state, state } = commission;
  if (review_state !== "rejected" && state !== "in_review") return null;
  return (
    <>
      <Button busy={busy} onClick={() => run({ action: "approve", ids: [id] })}>
        {review_texts.approve}
      </Button>
      {state === "in_review" && (
        <Button look="danger" busy={busy} onClick={() => setRejecting(true)}>
          {review_texts.reject}
        </Button>
      )}
      {rejecting && (
        <Suspense>
          <RejectDialog
            ids={[id]}
            losses={[{ ...commission, affiliate }]}
            open
            onClose={() => setRejecting(false)}
            onReject={(reason) => run({ action: "reject", ids: [id], reason })}
          />
        </Suspense>
      )}
    </>
  );
}

/** Decides whether a commission that a refund or dispute voided stays so when that is taken back. */
function KeepButton({ story: { commission, taken_back_by } }: { story: Story }) {
  const { run, busy } = useSetStatus();
  const { id, stays_voided, reversal_of } = commission;
  if (taken_back_by === null || reversal_of !== null) return null;
  return (
    <Button busy={busy} onClick={() => run(stays_voided ? "release" : "keep", [id])}>
      {stays_voided ? texts.release : texts.keep}
    </Button>
  );
}
