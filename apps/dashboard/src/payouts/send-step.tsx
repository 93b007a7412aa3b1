import { Button } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, Download, TriangleAlert } from "lucide-react";
import { download } from "../requests/download.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { filesQuery, type PayoutFile, type Run } from "./queries.ts";
import { run_texts } from "./run-texts.ts";
import { payerOf } from "./status.tsx";
import { texts } from "./texts.ts";

/** The files of a run, and who has downloaded each. */
export function SendStep({ run }: { run: Run }) {
  const session = useSession();
  const { data, error, refetch } = useQuery(filesQuery(session, run));
  if (error !== null && data === undefined) {
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  return (
    <ul className="grid min-h-20 gap-3">
      {data?.map((file) => (
        <li key={`${file.format} ${file.currency} ${file.file}`}>
          <File run={run} file={file} />
        </li>
      ))}
    </ul>
  );
}

function File({ run, file }: { run: Run; file: PayoutFile }) {
  const may_download = useMay("admin");
  const { organization } = useSession();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => download(organization.id, addressOf(run, file)),
    onSettled: () => client.invalidateQueries({ queryKey: [organization.id, "payout-runs", "files"] }),
  });
  const failure = error === null ? null : failureOf(error);
  const [latest] = file.downloads;
  const name = run_texts.file_name(file);
  return (
    <div className="grid gap-1 text-table">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="font-medium">{name}</p>
          <p className="text-muted">{run_texts.file_payouts(file.payouts)}</p>
          {latest !== undefined && <Downloaded file={file} latest={latest} />}
        </div>
        {may_download && (
          <Button
            busy={isPending}
            onClick={() => mutate()}
            aria-label={`${latest === undefined ? run_texts.download : run_texts.download_again}: ${name}`}
          >
            <Download aria-hidden size={14} />
            {latest === undefined ? run_texts.download : run_texts.download_again}
          </Button>
        )}
      </div>
      {failure !== null && (
        <Failure
          message={[failure.message, ...failure.issues.map(({ message }) => message)].join(" ")}
          request_id={failure.request_id}
        />
      )}
    </div>
  );
}

function Downloaded({ file, latest }: { file: PayoutFile; latest: PayoutFile["downloads"][number] }) {
  const pays = file.format !== "csv";
  const Icon = pays ? TriangleAlert : Check;
  return (
    <div className="flex items-start gap-1.5 text-muted">
      <Icon aria-hidden size={14} className={`mt-[3px] shrink-0 ${pays ? "text-warn" : "text-good"}`} />
      <div className="min-w-0">
        {run_texts.downloaded} <Time at={latest.at} />{" "}
        <Untrusted lines={1}>{texts.by(payerOf({ name: latest.actor_name, actor: latest.actor }))}</Untrusted>
        {pays && <span className="font-medium text-ink">{run_texts.not_twice}</span>}
      </div>
    </div>
  );
}

function addressOf({ id }: Run, { format, currency, file, files }: PayoutFile): string {
  const query = new URLSearchParams({ format });
  if (currency !== null) query.set("currency", currency);
  if (files > 1) query.set("file", String(file));
  return `/dashboard/payout-runs/${id}/export?${query}`;
}
