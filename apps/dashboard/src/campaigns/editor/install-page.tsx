import { Card } from "@findersfee/ui/components/card";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { RedirectLink, Tag, TestLink } from "../../onboarding/install.tsx";
import { type Onboarding, onboardingQuery } from "../../onboarding/queries.ts";
import { texts as step_texts } from "../../onboarding/texts.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { live } from "../../requests/live.ts";
import { type Session, useMay, useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { texts } from "./install-texts.ts";
import { useEditor } from "./use-editor.ts";

/** Loaded until a processor is connected. */
const StripeStep = lazyPart(() => import("../../onboarding/stripe-step.tsx"), "StripeStep");

/** An affiliate of the campaign, to test with. */
function testerQuery({ api, organization }: Session, campaign_id: string) {
  return queryOptions({
    queryKey: [organization.id, "campaigns", "tester", campaign_id],
    queryFn: async ({ signal }) => {
      const page = await api.affiliates.list.query({ campaign_id, approved: true, limit: 1 }, { signal });
      return page.data[0] ?? null;
    },
  });
}

/** Does my site work with it? */
export function InstallPage() {
  const session = useSession();
  const { campaign } = useEditor();
  const { data, error, refetch } = useQuery({
    ...onboardingQuery(session),
    refetchInterval: live(() => true),
  });
  const { data: tester } = useQuery(testerQuery(session, campaign.id));
  if (data === undefined) {
    return error === null ? (
      <SkeletonRows label={shell_texts.loading} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    );
  }
  const { publishable_key, tracker, click } = data;
  const code = tester?.links[0]?.code ?? null;
  return (
    <div className="grid max-w-190 grid-cols-[minmax(0,1fr)] gap-4 pt-4 pb-12">
      <Card title={texts.tag_title}>
        {publishable_key === null ? (
          <p className="text-table text-muted">{texts.no_key}</p>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
            <Tag publishable_key={publishable_key} tracker={tracker} />
            {code !== null && (
              <RedirectLink code={code} publishable_key={publishable_key} tracker={tracker} />
            )}
          </div>
        )}
      </Card>
      <Card title={texts.test_title}>
        {code === null ? (
          <p className="text-table text-muted">{texts.no_affiliate}</p>
        ) : (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
            <TestLink website_url={campaign.website_url} code={code} />
            <LastClick click={click} />
          </div>
        )}
      </Card>
      <Card title={texts.stripe_title}>
        <Payments onboarding={data} />
      </Card>
    </div>
  );
}

function LastClick({ click }: { click: Onboarding["click"] }) {
  return (
    <p role="status" className="text-table">
      {click !== null && (
        <State tone="done">
          {texts.last_click}: {step_texts.click_done(click.affiliate || click.code, click.landing_url)}
          {" · "}
          <Time at={click.clicked_at} show="relative" />
        </State>
      )}
    </p>
  );
}

function Payments({ onboarding: { connections } }: { onboarding: Onboarding }) {
  const may_connect = useMay("admin");
  if (connections.length === 0) {
    if (!may_connect) return <p className="text-table text-muted">{step_texts.viewer}</p>;
    return (
      <Suspense>
        <StripeStep />
      </Suspense>
    );
  }
  return (
    <ul className="grid gap-3 text-table">
      {connections.map(({ name, livemode, message, refused }) => (
        <li key={name} className="grid gap-1">
          <State tone="done">
            {texts.connected}: {step_texts.connected(name)}, {livemode ? step_texts.live : step_texts.test}
          </State>
          <span role="status" className="text-muted">
            {message === null ? (
              texts.no_message
            ) : (
              <>
                {texts.last_message}: {message.type} · <Time at={message.received_at} show="relative" />
              </>
            )}
          </span>
          {refused !== null && (
            <span className="text-warn">
              {step_texts.refused}: {refused.reason} · <Time at={refused.at} show="relative" />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
