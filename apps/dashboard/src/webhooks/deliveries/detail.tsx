import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { Code, indentedJson } from "@findersfee/ui/components/code";
import { ShortId } from "@findersfee/ui/components/copy";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { type Tab, Tabs } from "@findersfee/ui/components/tabs";
import { Time } from "@findersfee/ui/components/values";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { failureName } from "../endpoints/error-names.ts";
import type { Endpoint } from "../endpoints/queries.ts";
import { detail_texts } from "./detail-texts.ts";
import { NextTry } from "./next-try.tsx";
import { type DeliveryDetail, deliveryQuery } from "./queries.ts";
import { toneOf } from "./state.tsx";
import { texts } from "./texts.ts";
import { Verify } from "./verify.tsx";

type Attempt = DeliveryDetail["attempt_log"][number];

export interface DetailProps {
  endpoint: Endpoint;
  event_id: string;
  /** The list without it. */
  back: string;
  /** For those who may send it. */
  onSend: (() => void) | null;
  busy: boolean;
}

/** A delivery with its attempts and their errors. */
export function Detail({ endpoint, event_id, back, onSend, busy }: DetailProps) {
  const { id: endpoint_id } = endpoint;
  const { data, error, refetch } = useQuery(deliveryQuery(useSession(), { endpoint_id, event_id }));
  if (data === undefined) {
    const { status, code } = failureOf(error);
    if (error === null) return <SkeletonRows label={shell_texts.loading} />;
    if (status === 404 || code === "invalid_request") return <p className="py-3">{detail_texts.gone}</p>;
    return <FailureNotice error={error} onRetry={() => void refetch()} />;
  }
  const last = data.attempt_log.at(-1);
  const tone = toneOf({ state: data.state, last_error_code: last?.error_code ?? null });
  return (
    <section
      aria-label={detail_texts.choose}
      className="grid min-w-0 gap-4 pb-12 full:sticky full:top-0 full:-mx-1 full:max-h-dvh full:overflow-y-auto full:px-1 full:pt-4"
    >
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
          <ButtonLink to={back}>{detail_texts.close}</ButtonLink>
          {onSend !== null && (
            <Button look="solid" busy={busy} onClick={onSend}>
              {texts.send_now}
            </Button>
          )}
        </div>
      </div>
      <Card title={detail_texts.tries}>
        <Attempts delivery={data} />
      </Card>
      <Tabs label={detail_texts.views} tabs={tabsOf(data, endpoint)} />
    </section>
  );
}

function tabsOf(delivery: DeliveryDetail, endpoint: Endpoint): Tab[] {
  const { body, attempt_log } = delivery;
  const answer = attempt_log.at(-1)?.response ?? "";
  return [
    {
      id: "sent",
      label: detail_texts.sent,
      content: <Code label={detail_texts.sent}>{indentedJson(body)}</Code>,
    },
    {
      id: "answer",
      label: detail_texts.answer,
      content:
        answer === "" ? (
          <p className="text-table text-muted">{detail_texts.no_answer}</p>
        ) : (
          <Code label={detail_texts.answer}>{indentedJson(answer)}</Code>
        ),
    },
    {
      id: "headers",
      label: detail_texts.headers,
      content: <Headers delivery={delivery} endpoint={endpoint} />,
    },
    { id: "verify", label: detail_texts.verify, content: <Verify delivery={delivery} /> },
  ];
}

/** The headers of the last attempt. Signatures and custom values are secret, and not stored. */
function Headers({
  delivery: { event_id, attempt_log },
  endpoint,
}: {
  delivery: DeliveryDetail;
  endpoint: Endpoint;
}) {
  const timestamp = attempt_log.at(-1)?.webhook_timestamp;
  return (
    <>
      <p className="mb-2 text-table text-muted">{detail_texts.headers_hint}</p>
      <dl className="grid gap-x-4 gap-y-1 font-mono text-meta wide:grid-cols-[auto_minmax(0,1fr)]">
        <Header name="content-type">application/json; charset=utf-8</Header>
        <Header name="webhook-id">{event_id}</Header>
        <Header name="webhook-timestamp">{timestamp === undefined ? "…" : String(timestamp)}</Header>
        <Header name="webhook-signature">{detail_texts.signed_with}</Header>
        {endpoint.custom_headers.map(({ name }) => (
          <Header key={name} name={name}>
            {detail_texts.hidden_value}
          </Header>
        ))}
      </dl>
    </>
  );
}

function Header({ name, children }: { name: string; children: string }) {
  return (
    <div className="contents">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-all">{children}</dd>
    </div>
  );
}

function Attempts({ delivery: { attempts, attempt_log } }: { delivery: DeliveryDetail }) {
  if (attempt_log.length === 0) {
    return (
      <p className="text-table text-muted">
        {attempts === 0 ? detail_texts.no_attempts : detail_texts.old_attempts}
      </p>
    );
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
          {detail_texts.advice[error_code]}
        </p>
      )}
      {response !== "" && (
        <details className="pl-8">
          <summary className="text-muted hover:text-ink">{detail_texts.answer}</summary>
          <Code label={detail_texts.answer}>{indentedJson(response)}</Code>
        </details>
      )}
    </>
  );
}
