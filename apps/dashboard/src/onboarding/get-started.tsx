import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, Suspense } from "react";
import { labels } from "../attribution/outcome-texts.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../shell/forbidden-page.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { AffiliateStep } from "./affiliate-step.tsx";
import { CampaignStep } from "./campaign-step.tsx";
import { RedirectLink, Tag, TestLink } from "./install.tsx";
import { PlaySale } from "./play-sale.tsx";
import { type Onboarding, onboardingQuery } from "./queries.ts";
import { Step, type StepProps, Waiting } from "./step.tsx";
import { texts } from "./texts.ts";

type Part = Pick<StepProps, "title" | "why" | "done" | "children">;

/** Only the fourth step needs it. */
const StripeStep = lazyPart(() => import("./stripe-step.tsx"), "StripeStep");

/** The steps that remain until the first commission. */
export function GetStartedPage() {
  const session = useSession();
  const { data, error, refetch } = useQuery(onboardingQuery(session));
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${session.organization.name}`}
      actions={data !== undefined && <Dismiss onboarding={data} />}
      width="text"
    >
      <p className="pb-4 text-muted">{texts.hint}</p>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <SkeletonRows label={shell_texts.loading} />
      ) : (
        <Steps onboarding={data} />
      )}
    </Page>
  );
}

function Steps({ onboarding }: { onboarding: Onboarding }) {
  const may_change = useMay("admin");
  const { home } = useSession();
  const parts = partsOf(onboarding, may_change, home);
  const next = parts.findIndex(({ done }) => done === null);
  const count = parts.filter(({ done }) => done !== null).length;
  return (
    <div className="grid gap-4 pb-12">
      {!onboarding.is_test && may_change && onboarding.campaign !== null && (
        <Card title={texts.play_title}>
          <p className="pb-3 text-table text-muted">{texts.play_hint}</p>
          <div className="flex flex-wrap items-start gap-2">
            <PlaySale />
            {onboarding.test_data !== null && (
              <ButtonLink look="quiet" to={`/o/${onboarding.test_data.slug}`}>
                {texts.open_test}
              </ButtonLink>
            )}
          </div>
        </Card>
      )}
      <p className="text-table text-muted" role="status">
        {texts.progress(count, parts.length)}
      </p>
      <ol className="rounded-card border border-line">
        {parts.map((part, index) => (
          <Step key={part.title} number={index + 1} is_next={index === next} {...part} />
        ))}
      </ol>
    </div>
  );
}

/** The six steps, each with the fact that completed it. */
function partsOf(onboarding: Onboarding, may_change: boolean, home: string): Part[] {
  const { campaign, affiliate, click, publishable_key, tracker, commission } = onboarding;
  const ifAllowed = (content: ReactNode) =>
    may_change ? content : <p className="text-table text-muted">{texts.viewer}</p>;
  return [
    {
      title: texts.campaign,
      why: texts.campaign_why,
      done: campaign === null ? null : <Untrusted lines={1}>{campaign.name}</Untrusted>,
      children: ifAllowed(<CampaignStep />),
    },
    {
      title: texts.affiliate,
      why: texts.affiliate_why,
      done: affiliate === null ? null : <Untrusted lines={1}>{affiliate.name}</Untrusted>,
      children: ifAllowed(campaign === null ? null : <AffiliateStep campaign_id={campaign.id} />),
    },
    {
      title: texts.click,
      why: texts.click_why,
      done:
        click === null ? null : (
          <>
            {texts.click_done(click.affiliate || click.code, click.landing_url)}
            {" · "}
            <Time at={click.clicked_at} show="relative" />
          </>
        ),
      children: (
        <>
          {publishable_key !== null && <Tag publishable_key={publishable_key} tracker={tracker} />}
          <TestLink website_url={campaign?.website_url ?? null} code={affiliate?.code ?? null} />
          {publishable_key !== null && affiliate?.code != null && (
            <RedirectLink code={affiliate.code} publishable_key={publishable_key} tracker={tracker} />
          )}
        </>
      ),
    },
    connectionPart(onboarding, ifAllowed),
    messagePart(onboarding),
    {
      title: texts.sale,
      why: texts.sale_why,
      done:
        commission === null
          ? null
          : texts.sale_done(formatMoney(commission.commission_amount, commission.currency)),
      children: <Sale onboarding={onboarding} home={home} />,
    },
  ];
}

function connectionPart({ connections }: Onboarding, ifAllowed: (content: ReactNode) => ReactNode): Part {
  const described = connections.map(
    ({ name, livemode }) => `${texts.connected(name)}, ${livemode ? texts.live : texts.test}`,
  );
  return {
    title: texts.connection,
    why: texts.connection_why,
    done: connections.length === 0 ? null : described.join(" · "),
    children: ifAllowed(
      <Suspense>
        <StripeStep />
      </Suspense>,
    ),
  };
}

function messagePart({ connections }: Onboarding): Part {
  const messages = connections.flatMap(({ message }) => (message === null ? [] : [message]));
  const [message] = messages.sort((a, b) => (a.received_at < b.received_at ? 1 : -1));
  const [refused] = connections.flatMap((connection) =>
    connection.refused === null ? [] : [connection.refused],
  );
  return {
    title: texts.message,
    why: texts.message_why,
    done:
      message === undefined ? null : (
        <>
          {texts.message_done(message.type)}
          {" · "}
          <Time at={message.received_at} show="relative" />
          {message.state === "parked" && ` · ${texts.message_dead_lettered} ${message.reason ?? ""}`}
        </>
      ),
    children: (
      <>
        <p className="text-table">{texts.message_how}</p>
        {refused !== undefined && (
          <Notice tone="warn" title={texts.refused}>
            {refused.reason} · <Time at={refused.at} show="relative" />
          </Notice>
        )}
        <Waiting>{texts.message_waiting}</Waiting>
      </>
    ),
  };
}

function Sale({ onboarding: { payment }, home }: { onboarding: Onboarding; home: string }) {
  return (
    <>
      <p className="text-table">{texts.sale_how}</p>
      {payment === null ? (
        <Waiting>{texts.sale_waiting}</Waiting>
      ) : (
        <Notice
          tone="warn"
          title={`${texts.sale_none} ${labels[payment.outcome].toLowerCase()}`}
          actions={<ButtonLink to={`${home}/payments/${payment.id}`}>{texts.why}</ButtonLink>}
        >
          <Time at={payment.paid_at} show="relative" />
        </Notice>
      )}
    </>
  );
}

/** Puts the steps away, once there is something else to see. */
function Dismiss({ onboarding: { commission, dismissed_at, test_data } }: { onboarding: Onboarding }) {
  const { api, organization, home } = useSession();
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const toast = useToast();
  const may_change = useMay("admin");
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.dashboard.onboarding.dismiss.mutate({ dismissed: true }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [organization.id, "onboarding"] });
      toast({ text: texts.dismissed });
      navigate(home);
    },
    onError: (error) => toast({ text: error.message, tone: "failed" }),
  });
  if (commission !== null) {
    return (
      <ButtonLink look="solid" to={`${home}/commissions/${commission.id}`}>
        {texts.see_commission}
      </ButtonLink>
    );
  }
  if (!may_change || dismissed_at !== null || test_data === null) return null;
  return (
    <Button look="quiet" busy={isPending} onClick={() => mutate()}>
      {texts.dismiss}
    </Button>
  );
}
