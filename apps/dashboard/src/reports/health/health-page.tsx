import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { Conversion } from "./conversion.tsx";
import { LedgerCheck } from "./ledger-check.tsx";
import { LocalMails } from "./local-mails.tsx";
import { Mails } from "./mails.tsx";
import { healthQuery } from "./queries.ts";
import { ReadReplicas } from "./read-replicas.tsx";
import { StepBack } from "./step-back.tsx";
import { texts } from "./texts.ts";
import { Queues, Webhooks } from "./waiting.tsx";

/** Does everything add up, and has the service done all it should? */
export function HealthPage() {
  const session = useSession();
  const may_read_mails = useMay("admin");
  const { data, error, refetch } = useQuery(healthQuery(session));
  return (
    <Page title={texts.title} document_title={`${texts.title} · ${session.organization.name}`} width="text">
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined && (
        <>
          <StepBack step_back={data.step_back} />
          <LedgerCheck check={data.ledger_check} nightly={data.nightly_check} />
          <Mails health={data} />
          {may_read_mails && data.mail_delivery === "local" && <LocalMails />}
          <Queues oldest_due={data.oldest_due} workers={data.workers} />
          <Webhooks health={data} />
          <ReadReplicas read_replicas={data.read_replicas} />
          <Conversion conversion={data.conversion} />
        </>
      )}
    </Page>
  );
}
