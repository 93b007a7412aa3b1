import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Code, indentedJson } from "@findersfee/ui/components/code";
import { ShortId } from "@findersfee/ui/components/copy";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { useQuery } from "@tanstack/react-query";
import { failureName } from "../endpoints/error-names.ts";
import { texts as frame_texts } from "../frame/texts.ts";
import { failureOf } from "../requests/failure.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { NextTry } from "./next-try.tsx";
import { type DeliveryDetail, deliveryQuery } from "./queries.ts";
import { toneOf } from "./state.tsx";
import { texts } from "./texts.ts";

type Attempt = DeliveryDetail["attempt_log"][number];

export interface DetailProps {
  endpoint_id: string;
  event_id: string;
  /** The list without it. */
  back: string;
  /** For those who may send it. */
  onSend: (() => void) | null;
  busy: boolean;
}

/** Did it arrive, and if not, why? */
export function Detail({ endpoint_id, event_id, back, onSend, busy }: DetailProps) {
  const { data, error, refetch } = useQuery(deliveryQuery(useSession(), { endpoint_id, event_id }));
  if (data === undefined) {
    const { status, code } = failureOf(error);
    if (error === null) return <SkeletonRows label={frame_texts.loading} />;
    if (status === 404 || code === "invalid_request") return <p className="py-3">{texts.gone}</p>;
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  const last = data.attempt_log.at(-1);
  const tone = toneOf({ state: data.state, last_error_code: last?.error_code ?? null });
  return (
    <section aria-label={texts.choose} className="grid min-w-0 gap-4 pb-12">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold">
            <State tone={tone}>{data.event_type}</State>
          </h2>
          <p className="flex flex-wrap items-center gap-x-3 text-table text-muted">
            {data.state === "pending" ? <NextTry at={data.next_attempt_at} /> : texts.states[data.state]}
            <ShortId id={data.event_id} />
          </p>
        </div>
        <div className="flex gap-2">
          <ButtonLink to={back}>{texts.close}</ButtonLink>
          {onSend !== null && (
            <Button look="solid" busy={busy} onClick={onSend}>
              {texts.send_now}
            </Button>
          )}
        </div>
      </div>
      <Card title={texts.tries}>
        <Attempts delivery={data} />
      </Card>
      <Card title={texts.sent}>
        <Code label={texts.sent}>{indentedJson(data.body)}</Code>
      </Card>
    </section>
  );
}

function Attempts({ delivery: { attempts, attempt_log } }: { delivery: DeliveryDetail }) {
  if (attempt_log.length === 0) {
    return <p className="text-table text-muted">{attempts === 0 ? texts.no_attempts : texts.old_attempts}</p>;
  }
  return (
    <ol className="grid gap-3 text-table">
      {[...attempt_log].reverse().map((attempt) => (
        <li key={attempt.number} className="grid gap-1 border-line not-last:border-b not-last:pb-3">
          <AttemptLine attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

function AttemptLine({ attempt }: { attempt: Attempt }) {
  const { number, attempted_at, duration_milliseconds, error_code, error_message, response } = attempt;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4">
        <span className="w-4 text-muted tabular-nums">{number}</span>
        <State tone={error_code === null ? "done" : "failed"}>{failureName(attempt)}</State>
        <span className="text-muted tabular-nums">{texts.milliseconds(duration_milliseconds)}</span>
        <span className="ml-auto text-muted">
          <Time at={attempted_at} />
        </span>
      </p>
      {error_code !== null && (
        <p className="pl-8">
          {error_message !== null && <span className="text-muted">{error_message}. </span>}
          {texts.advice[error_code]}
        </p>
      )}
      {response !== "" && (
        <details className="pl-8">
          <summary className="text-muted hover:text-ink">{texts.answer}</summary>
          <Code label={texts.answer}>{indentedJson(response)}</Code>
        </details>
      )}
    </>
  );
}
