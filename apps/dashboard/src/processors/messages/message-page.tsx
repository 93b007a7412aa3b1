import type { PaymentOutcomeName } from "@findersfee/contract/attribution/payment-decisions";
import { Button } from "@findersfee/ui/components/button";
import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { Code } from "@findersfee/ui/components/code";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { State } from "@findersfee/ui/components/state";
import { Money, Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { labels, toneOf } from "../../attribution/outcome-texts.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { DetailPage } from "../../shell/detail-page.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { fieldOf, jsonLines, lineOf } from "./json-lines.ts";
import { MESSAGES, type MessageDetail, messageBodyQuery, messageQuery } from "./queries.ts";
import { MessageState } from "./state.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/connections/messages/$processor/$id");

/** An inbound webhook: its body, its result, and the reason. */
export function MessagePage() {
  const { processor, id } = route.useParams();
  if (processor !== "stripe" && processor !== "generic") return <NotFoundPage />;
  return <MessageOf key={`${processor} ${id}`} message={{ processor, id }} />;
}

interface MessageKey {
  processor: "stripe" | "generic";
  id: string;
}

function MessageOf({ message }: { message: MessageKey }) {
  const session = useSession();
  const query = useQuery(messageQuery(session, message));
  const may_change = useMay("admin");
  const { change, busy } = useChange(MESSAGES);
  const rerun = () => session.api.dashboard.processor_messages.rerun.mutate(message);
  return (
    <DetailPage
      query={query}
      parent={{ to: `${session.home}/connections/messages`, label: texts.title }}
      title={({ type }) => type}
      beside={({ state }) => (
        <span className="text-table">
          <MessageState state={state} />
        </span>
      )}
      actions={({ state }) =>
        may_change && (
          <Button
            look={state === "parked" ? "solid" : "plain"}
            busy={busy || state === "received"}
            onClick={() => change({ run: rerun, toast: { text: texts.rerun_done } })}
          >
            {texts.rerun}
          </Button>
        )
      }
    >
      {(detail) => (
        <div className="grid gap-4 pt-2 pb-12">
          {detail.reason !== null && (
            <Notice
              tone={detail.state === "parked" ? "bad" : "info"}
              title={`${texts.states[detail.state]}: ${detail.reason}`}
            />
          )}
          <div className="grid items-start gap-4 full:grid-cols-2">
            <Card title={texts.body}>
              {may_change ? (
                <Body message={message} reason={detail.reason} />
              ) : (
                <p className="text-table text-muted">{texts.body_for_admins}</p>
              )}
            </Card>
            <div className="grid min-w-0 gap-4">
              <Card title={texts.decisions}>
                <Decisions detail={detail} />
              </Card>
              <Card title={texts.about}>
                <About detail={detail} />
              </Card>
            </div>
          </div>
        </div>
      )}
    </DetailPage>
  );
}

function About({ detail }: { detail: MessageDetail }) {
  const { id, processor, account, attempts, next_attempt_at, came_by, occurred_at, received_at } = detail;
  return (
    <Facts>
      <Fact label={texts.id}>
        <span className="flex min-w-0 items-center gap-1">
          <span className="min-w-0 font-mono text-meta break-all">{id}</span>
          <CopyButton text={id} quiet />
        </span>
      </Fact>
      <Fact label={texts.processor}>{texts.processors[processor]}</Fact>
      {account !== null && <Fact label={texts.account}>{account}</Fact>}
      <Fact label={texts.occurred}>
        <Time at={occurred_at} />
      </Fact>
      <Fact label={texts.received}>
        <Time at={received_at} />
      </Fact>
      <Fact label={texts.came_by}>{texts.ways[came_by]}</Fact>
      {attempts > 0 && <Fact label={texts.attempts}>{attempts}</Fact>}
      {next_attempt_at !== null && attempts > 0 && (
        <Fact label={texts.next_attempt}>
          <Time at={next_attempt_at} show="relative" />
        </Fact>
      )}
    </Facts>
  );
}

/** The body with the field marked that the reason names. */
function Body({ message, reason }: { message: MessageKey; reason: string | null }) {
  const { data, error, refetch } = useQuery(messageBodyQuery(useSession(), message));
  const mark = useRef<HTMLElement>(null);
  const lines = data === undefined ? null : jsonLines(data.body);
  const field = fieldOf(reason);
  const marked = lines === null || field === null ? null : lineOf(lines, field);
  useEffect(() => {
    if (marked !== null) mark.current?.scrollIntoView({ block: "nearest" });
  }, [marked]);
  if (data === undefined) {
    if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
    return <SkeletonRows label={shell_texts.loading} />;
  }
  return (
    <>
      {marked !== null && <p className="mb-2 text-table text-muted">{texts.marked}</p>}
      <Code label={texts.body} copy={data.body}>
        {lines === null
          ? data.body
          : lines.map(({ text }, index) => {
              const line = `${text}\n`;
              return index === marked ? (
                <mark key={line} ref={mark} className="rounded-sm bg-bad-tint font-medium text-bad">
                  {line}
                </mark>
              ) : (
                line
              );
            })}
      </Code>
    </>
  );
}

function Decisions({ detail: { state, decisions } }: { detail: MessageDetail }) {
  const { home } = useSession();
  if (decisions.length === 0) return <p className="text-table text-muted">{texts.no_decisions[state]}</p>;
  return (
    <ul className="grid gap-2 text-table">
      {decisions.map((decision) => {
        const outcome = decision.outcome as PaymentOutcomeName;
        return (
          <li key={decision.id} className="grid gap-0.5 border-line not-last:border-b not-last:pb-2">
            <span className="flex justify-between gap-3">
              <Link
                to={`${home}/payments/${decision.id}`}
                className="min-w-0 truncate font-medium hover:underline"
              >
                {decision.processor_payment_id}
              </Link>
              <Money amount={decision.revenue_amount} currency={decision.currency} />
            </span>
            <span className="flex flex-wrap justify-between gap-x-3 text-muted">
              <State tone={toneOf(outcome)}>
                {decision.commission_id === null ? (
                  labels[outcome]
                ) : (
                  <Link to={`${home}/commissions/${decision.commission_id}`} className="hover:underline">
                    {labels[outcome]}{" "}
                    <Money amount={decision.commission_amount} currency={decision.currency} />
                  </Link>
                )}
              </State>
              <Time at={decision.paid_at} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
