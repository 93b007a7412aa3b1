import { Button } from "@findersfee/ui/components/button";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Printer } from "lucide-react";
import { useEffect, useState } from "react";
import { useParams } from "wouter";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { Page } from "../shell/page.tsx";
import { completeStatement, type Statement, statementQuery } from "./queries.ts";
import { StatementFacts } from "./statement-facts.tsx";
import { StatementLines } from "./statement-lines.tsx";

/** A payout with all that it pays for: the affiliate's document, which prints on paper. */
export function StatementPage() {
  const { payouts, components } = useTexts();
  const { month } = useFormats();
  const { id = "" } = useParams();
  const { program, api } = useSession();
  const query = statementQuery(api, program.affiliate_id, id);
  const { data, error, refetch } = useQuery(query);
  const { complete, busy, failure } = useCompleting(data);
  const title = data === undefined ? payouts.statement : payouts.statement_of(month(data.period));
  const print = usePrint(data, complete);
  return (
    <Page
      title={title}
      document_title={`${title} · ${program.organization_name}`}
      parent={{ to: "/payouts", label: payouts.title }}
      width="text"
      beside={
        data !== undefined && (
          <span className="print:hidden">
            <Button onClick={print} busy={busy}>
              <Printer aria-hidden size={16} />
              {payouts.print}
            </Button>
          </span>
        )
      }
    >
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {failure !== null && <FailureNotice error={failure} onRetry={complete} />}
      {data === undefined && error === null && <SkeletonRows label={components.loading} />}
      {data !== undefined && (
        <div className="grid grid-cols-1 gap-8 pt-2">
          <StatementFacts statement={data} />
          <StatementLines statement={data} />
          {data.lines_after !== null && (
            <div className="print:hidden">
              <Button onClick={complete} busy={busy}>
                {payouts.show_all(data.payment_count)}
              </Button>
            </div>
          )}
          <p className="text-meta text-muted">{payouts.days_in(data.time_zone)}</p>
        </div>
      )}
    </Page>
  );
}

/** Loads the lines that are missing; false: it failed, or is under way. */
function useCompleting(statement: Statement | undefined) {
  const client = useQueryClient();
  const { program, api } = useSession();
  const [{ busy, failure }, setState] = useState<{ busy: boolean; failure: unknown }>({
    busy: false,
    failure: null,
  });
  const complete = async (): Promise<boolean> => {
    if (statement === undefined || busy) return false;
    if (statement.lines_after === null) return true;
    setState({ busy: true, failure: null });
    try {
      const whole = await completeStatement(api, statement);
      const { queryKey } = statementQuery(api, program.affiliate_id, statement.id);
      client.setQueryData(queryKey, whole);
      setState({ busy: false, failure: null });
      return true;
    } catch (error) {
      setState({ busy: false, failure: error });
      return false;
    }
  };
  return { complete, busy, failure };
}

/** Prints the statement, with the lines that are not shown yet. */
function usePrint(statement: Statement | undefined, complete: () => Promise<boolean>): () => Promise<void> {
  const [is_asked, setAsked] = useState(false);
  const is_complete = statement?.lines_after === null;
  useEffect(() => {
    if (!is_asked || !is_complete) return;
    setAsked(false);
    window.print();
  }, [is_asked, is_complete]);
  return async () => setAsked(await complete());
}
