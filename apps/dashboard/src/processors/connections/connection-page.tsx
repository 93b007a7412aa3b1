import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { HistoryLink } from "../../audit-log/link/history-link.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../../shell/forbidden-page.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { ConnectionActions } from "./actions.tsx";
import { ConnectForm, ConnectStripe } from "./connect-form.tsx";
import { ConnectionFacts } from "./facts.tsx";
import { connectionsQuery, type ProcessorName } from "./queries.ts";
import { SecretDialog } from "./secret-dialog.tsx";
import { ConnectionState } from "./state.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/connections/$processor");

const isProcessor = (name: string): name is ProcessorName => name === "stripe" || name === "generic";

/** One connection: how to make it, or how it fares. */
export function ConnectionPage() {
  const { processor } = route.useParams();
  return isProcessor(processor) ? <ConnectionOf name={processor} /> : <NotFoundPage />;
}

function ConnectionOf({ name }: { name: ProcessorName }) {
  const session = useSession();
  const may_change = useMay("admin");
  const { data, error, refetch } = useQuery(connectionsQuery(session));
  const [secret, setSecret] = useState<string | null>(null);
  const connection = data?.find((item) => item.name === name);
  const title = texts.names[name];
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  return (
    <Page
      title={title}
      document_title={`${title} · ${session.organization.name}`}
      parent={{ to: `${session.home}/connections`, label: texts.title }}
      beside={
        data !== undefined && (
          <span className="text-table">
            <ConnectionState connection={connection} />
          </span>
        )
      }
      link={<HistoryLink of={name} />}
      actions={
        may_change &&
        connection !== undefined && <ConnectionActions connection={connection} onSecret={setSecret} />
      }
    >
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows label={shell_texts.loading} />}
      {data !== undefined &&
        connection === undefined &&
        may_change &&
        (name === "stripe" ? (
          <ConnectStripe onSecret={setSecret} />
        ) : (
          <ConnectForm name={name} onSecret={setSecret} />
        ))}
      {data !== undefined && connection === undefined && !may_change && (
        <p className="pt-4 text-muted">{texts.admins_only}</p>
      )}
      {connection !== undefined && <ConnectionFacts connection={connection} />}
      <SecretDialog secret={secret} onClose={() => setSecret(null)} />
    </Page>
  );
}
