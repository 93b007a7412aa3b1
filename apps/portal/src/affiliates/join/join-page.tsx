import type { PublicProgram } from "@findersfee/contract/portal/join";
import { useDraftState } from "@findersfee/ui/forms/use-draft-value";
import { failureOf } from "@findersfee/ui/requests/failure";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { whenOnline } from "@findersfee/ui/requests/use-online";
import { Suspense, useState } from "react";
import { useParams } from "wouter";
import { useLanguage } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { ClosedProgram } from "./closed-program.tsx";
import { EMPTY_JOIN, type JoinDraft } from "./draft.ts";
import { Loading } from "./loading.tsx";
import { Offer } from "./offer.tsx";
import { useProgram } from "./queries.ts";

/** Loaded beside the program, so that its terms do not wait for the form. */
const form = whenOnline().then(() => import("./join-form.tsx"));

const JoinForm = lazyPart(() => form, "JoinForm");

/** Loaded once the form was sent. */
const CodeStep = lazyPart(() => import("../../identity/sign-in/code-step.tsx"), "CodeStep");

/** The form with which people join a campaign, and the code that sends it. */
export function JoinPage() {
  const { organization = "", campaign = "" } = useParams<{ organization: string; campaign: string }>();
  const { data, error, reload } = useProgram(organization, campaign);
  if (error !== null && failureOf(error).status === 404) return <ClosedProgram />;
  if (data !== undefined) return <Joining program={data} reload={reload} />;
  return (
    <div className="mx-auto max-w-240 px-4 pt-9 tablet:px-6">
      {error === null ? <Loading /> : <FailureNotice error={error} onRetry={() => void reload()} />}
    </div>
  );
}

const differs = (draft: JoinDraft) => JSON.stringify(draft) !== JSON.stringify(EMPTY_JOIN);

function Joining({ program, reload }: { program: PublicProgram; reload: () => Promise<void> }) {
  const {
    language,
    texts: { join },
  } = useLanguage();
  const draft = useDraftState<JoinDraft>({ initial: EMPTY_JOIN, differs });
  const [is_outdated, setOutdated] = useState(false);
  const outdated = async () => {
    setOutdated(true);
    draft.set({ requested: null });
    await reload();
  };
  const { requested } = draft.value;
  if (requested === null) {
    return (
      <div className="mx-auto grid w-full max-w-240 grid-cols-[minmax(0,1fr)] items-start gap-x-16 gap-y-8 px-4 pt-8 tablet:px-6 desktop:grid-cols-[minmax(0,1fr)_minmax(0,27rem)] desktop:pt-14">
        <Offer program={program} />
        <section className="min-w-0 desktop:rounded-card desktop:border desktop:border-line desktop:p-6">
          <Suspense fallback={<Loading />}>
            <JoinForm {...{ program, draft, is_outdated }} onOutdated={outdated} />
          </Suspense>
        </section>
      </div>
    );
  }
  return (
    <Suspense>
      <CodeStep
        key={requested.email}
        requested={requested}
        hint={join.code_hint(requested.email)}
        submit={join.confirm}
        other={join.back}
        request={async () => (await import("./send.ts")).sendJoining(program, draft.value, { language })}
        onSent={(next) => draft.set({ requested: next })}
        onOther={() => draft.set({ requested: null })}
        onOutdated={outdated}
        onAccepted={draft.clear}
      />
    </Suspense>
  );
}
