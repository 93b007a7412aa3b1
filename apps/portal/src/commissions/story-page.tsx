import { Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Untrusted } from "@findersfee/ui/components/values";
import { shortId } from "@findersfee/ui/formats/ids";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "wouter";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { useLive } from "../live/use-live.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { NotFoundPage } from "../shell/not-found-page.tsx";
import { Page } from "../shell/page.tsx";
import { type Story, storyQuery } from "./queries.ts";
import { Status } from "./status.tsx";
import { CommissionSum } from "./sum.tsx";
import { StoryTimeline } from "./timeline.tsx";

/** How did this amount come about? */
export function StoryPage() {
  const { frame, earnings } = useTexts();
  const { program, api } = useSession();
  const { id = "" } = useParams();
  const { data, error, refetch } = useQuery(storyQuery(api, program.affiliate_id, id));
  useLive();
  if (data !== undefined) return <StoryOf key={id} story={data} />;
  const { status, code } = failureOf(error);
  if (status === 404 || code === "invalid_request") return <NotFoundPage />;
  return (
    <Page
      title={earnings.title}
      document_title={`${earnings.title} · ${program.organization_name}`}
      parent={{ to: "/earnings", label: earnings.title }}
      width="text"
    >
      {error === null ? (
        <SkeletonRows label={frame.loading} />
      ) : (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      )}
    </Page>
  );
}

function StoryOf({ story }: { story: Story }) {
  const { earnings, commissions } = useTexts();
  const { money } = useFormats();
  const { program } = useSession();
  const { earning } = story;
  const { id, commission_amount, revenue_amount, currency, customer, reversal_of, adjustment } = earning;
  const amount = money(commission_amount, currency);
  const title =
    adjustment !== null
      ? earnings.adjustment_of(amount)
      : reversal_of === null
        ? earnings.commission_of(amount)
        : earnings.reversal_of(amount);
  return (
    <Page
      title={title}
      document_title={`${title} · ${program.organization_name}`}
      parent={{ to: "/earnings", label: earnings.title }}
      beside={
        <span className="text-table">
          <Status earning={earning} />
        </span>
      }
      width="text"
    >
      {earning.state === "in_review" && (
        <p dir="auto" className="mb-6">
          {commissions.in_review(program.organization_name)}
        </p>
      )}
      <Facts>
        <Fact label={adjustment === null ? earnings.customer_label : earnings.reason}>
          <Untrusted>{adjustment?.reason ?? customer ?? ""}</Untrusted>
        </Fact>
        {revenue_amount !== null && (
          <Fact label={earnings.paid_amount}>{money(revenue_amount, currency)}</Fact>
        )}
        <Fact label={earnings.id}>
          <span className="inline-flex items-center gap-1 font-mono text-meta text-muted" title={id}>
            {shortId(id)}
            <CopyButton text={id} quiet />
          </span>
        </Fact>
      </Facts>
      <section aria-label={earnings.story} className="mt-8">
        <h2 className="mb-4 font-semibold">{earnings.story}</h2>
        <StoryTimeline story={story} />
        <CommissionSum story={story} />
      </section>
    </Page>
  );
}
