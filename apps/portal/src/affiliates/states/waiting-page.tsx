import { Button } from "@findersfee/ui/components/button";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { type Subject, useTexts, WithTexts } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { programQuery } from "../../session/program.ts";
import { meQuery, useSession } from "../../session/session.tsx";
import { NarrowPage } from "../../shell/narrow-page.tsx";
import { applicationQuery } from "./application.ts";
import { Contact } from "./contact.tsx";
import { SentApplication } from "./sent-application.tsx";

const OwnData = lazyPart(() => import("./own-data.tsx"), "OwnData");

const SETTINGS: readonly Subject[] = ["settings"];

/** While the page is visible, so that it moves on soon after the decision. */
const WATCHED_MILLISECONDS = 5_000;

/** An application that waits for a decision, or was declined. */
export function WaitingPage() {
  const { states } = useTexts();
  const { me, program } = useSession();
  const { organization_name, state } = program;
  // The frame shows the page of another state.
  useQuery({ ...meQuery, refetchInterval: WATCHED_MILLISECONDS });
  if (state === "declined") return <Declined />;
  return (
    <NarrowPage
      title={states.waiting(organization_name)}
      hint={<p className="wrap-anywhere">{states.waiting_hint(me.email)}</p>}
    >
      <Sent is_waiting />
      <SupportContact />
      <DataButton />
    </NarrowPage>
  );
}

function Declined() {
  const { states } = useTexts();
  const { program, api } = useSession();
  const { data } = useQuery(programQuery(api, program.affiliate_id));
  const reason = data?.decline_reason ?? null;
  return (
    <NarrowPage title={states.declined(program.organization_name)} hint={states.declined_hint}>
      {reason !== null && (
        <div className="grid gap-1">
          <h2 className="text-table font-medium">{states.reason}</h2>
          <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
            {reason}
          </p>
        </div>
      )}
      <SupportContact />
      <Sent is_waiting={false} />
      <DataButton />
    </NarrowPage>
  );
}

/** Few who wait want it, so it loads when it is opened. */
function DataButton() {
  const { states } = useTexts();
  const { me, is_embedded } = useSession();
  const [is_open, setOpen] = useState(false);
  if (is_embedded) return null;
  if (!is_open) {
    return (
      <div>
        <Button look="quiet" className="-ml-3" disabled={me.by_staff} onClick={() => setOpen(true)}>
          {states.own_data}
        </Button>
      </div>
    );
  }
  return (
    <section aria-label={states.own_data} className="grid gap-3 border-t border-line pt-5">
      <Suspense>
        <WithTexts subjects={SETTINGS} fallback={null}>
          <OwnData />
        </WithTexts>
      </Suspense>
    </section>
  );
}

function SupportContact() {
  const { program, api } = useSession();
  const { data } = useQuery(programQuery(api, program.affiliate_id));
  return <Contact email={data?.organization.support_email ?? null} />;
}

function Sent({ is_waiting }: { is_waiting: boolean }) {
  const { frame } = useTexts();
  const { program, api } = useSession();
  const { data, error, refetch } = useQuery(applicationQuery(api, program.affiliate_id));
  if (data !== undefined)
    return <SentApplication key={program.affiliate_id} sent={data} is_waiting={is_waiting} />;
  return error === null ? (
    <SkeletonRows rows={3} label={frame.loading} />
  ) : (
    <FailureNotice error={error} onRetry={refetch} />
  );
}
