import { failureOf } from "@findersfee/ui/requests/failure";
import { useParams } from "wouter";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { ClosedProgram } from "./closed-program.tsx";
import { JoinProgram } from "./join-page.tsx";
import { Loading } from "./loading.tsx";
import { Programs } from "./programs-page.tsx";
import { usePrograms } from "./queries.ts";

/** An address that people can remember: the form of the only program that an organization lists, else all that it lists. */
export function OnlyProgramPage() {
  const { organization = "" } = useParams<{ organization: string }>();
  const { data, error, reload } = usePrograms(organization);
  if (error !== null && failureOf(error).status === 404) return <ClosedProgram />;
  if (data !== undefined) {
    const [first, ...others] = data.campaigns;
    return first === undefined || others.length > 0 ? (
      <Programs {...data} />
    ) : (
      <JoinProgram organization={data.organization.slug} campaign={first.id} />
    );
  }
  return (
    <div className="mx-auto max-w-180 px-4 pt-9 tablet:px-6">
      {error === null ? <Loading /> : <FailureNotice error={error} onRetry={() => void reload()} />}
    </div>
  );
}
