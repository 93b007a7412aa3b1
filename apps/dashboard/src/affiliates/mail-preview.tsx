import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { texts as shell_texts } from "../shell/texts.ts";
import { mailQuery, type MailPreview as Preview, welcomeQuery } from "./queries.ts";
import { texts } from "./waiting-texts.ts";

/** The mail that a decision sends, in the words that it has now. */
export function MailPreview(input: { id: string; kind: "approved" | "declined"; reason: string | null }) {
  return <Mail query={useQuery(mailQuery(useSession(), input))} />;
}

/** The mail to a new affiliate of a campaign, with the welcome message that is being written. */
export function WelcomePreview(input: Parameters<typeof welcomeQuery>[1]) {
  return <Mail query={useQuery(welcomeQuery(useSession(), input))} />;
}

function Mail({ query: { data, error, refetch } }: { query: UseQueryResult<Preview> }) {
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <SkeletonRows rows={3} label={shell_texts.loading} />;
  return (
    <div className="rounded-control border border-line bg-sunk p-3 text-table">
      <p className="text-muted">
        {texts.to}: <span className="text-ink">{data.to}</span>
      </p>
      <p className="text-muted">
        {texts.language}: <span className="text-ink">{texts.languages[data.language]}</span>
      </p>
      <p className="mb-2 text-muted">
        {texts.subject}: <span className="text-ink">{data.subject}</span>
      </p>
      <pre dir="auto" lang={data.language} className="font-sans whitespace-pre-wrap">
        {data.text}
      </pre>
    </div>
  );
}
