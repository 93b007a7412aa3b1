import { Card } from "@findersfee/ui/components/card";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";

export interface SectionProps<Data> {
  title: string;
  beside?: ReactNode;
  query: UseQueryResult<Data>;
  /** Lines of its skeleton. */
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** A card with a request of its own: if that fails, only this card says so, above its last data. */
export function Section<Data>({ title, beside, query, rows = 3, children }: SectionProps<Data>) {
  const { data, error, refetch } = query;
  return (
    <Card title={title} beside={beside}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data === undefined
        ? error === null && <SkeletonRows rows={rows} label={shell_texts.loading} />
        : children(data)}
    </Card>
  );
}
