import { ButtonLink } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { ConnectionsFrame } from "./frame.tsx";
import { type Connection, connectionsQuery, type ProcessorName } from "./queries.ts";
import { ConnectionState } from "./state.tsx";
import { texts } from "./texts.ts";

/** The connected processors, each with its state. */
export function ConnectionsPage() {
  const { data, error, refetch } = useQuery(connectionsQuery(useSession()));
  return (
    <ConnectionsFrame part="connections" error={error}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <SkeletonRows label={shell_texts.loading} />}
      {data !== undefined && (
        <div className="grid gap-4 pt-4 full:grid-cols-2">
          {(["stripe", "generic"] as const).map((name) => (
            <ConnectionCard key={name} name={name} connection={data.find((item) => item.name === name)} />
          ))}
        </div>
      )}
    </ConnectionsFrame>
  );
}

function ConnectionCard({ name, connection }: { name: ProcessorName; connection: Connection | undefined }) {
  const { home } = useSession();
  const may_connect = useMay("admin");
  const to = `${home}/connections/${name}`;
  const is_new = connection === undefined;
  return (
    <Card
      title={texts.names[name]}
      beside={
        <span className="text-table">
          <ConnectionState connection={connection} />
        </span>
      }
    >
      <p className="mb-4 text-table text-muted">{texts.purposes[name]}</p>
      {(!is_new || may_connect) && (
        <ButtonLink to={to} look={is_new && name === "stripe" ? "solid" : "plain"}>
          {is_new ? texts.connect[name] : texts.open}
        </ButtonLink>
      )}
    </Card>
  );
}
