import { Time } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { shortUrl } from "./address.ts";
import { failureName } from "./error-names.ts";
import type { EndpointRow } from "./queries.ts";
import { EndpointState } from "./state.tsx";
import { texts } from "./texts.ts";

/** The columns, with counts that stop at `most_counted`. */
export function endpointColumns(most_counted: number): readonly Column<EndpointRow>[] {
  return [
    {
      id: "endpoint",
      header: texts.endpoint,
      cell: ({ url, description }) => (
        <span dir="auto" title={description === "" ? url : `${url}\n${description.slice(0, 500)}`}>
          {shortUrl(url)}
          {description !== "" && (
            <span className="ml-2 font-normal text-muted cards:hidden">{description.slice(0, 200)}</span>
          )}
        </span>
      ),
      narrow: "above",
      strong: true,
    },
    {
      id: "state",
      header: texts.state,
      cell: (endpoint) => <EndpointState endpoint={endpoint} />,
      narrow: "below",
      width: "w-[19%]",
    },
    {
      id: "events",
      header: texts.events,
      cell: ({ event_types }) => <span title={event_types?.join("\n")}>{texts.types(event_types)}</span>,
      width: "w-[9%]",
    },
    {
      id: "delivered",
      header: texts.delivered_today,
      cell: ({ health }) => texts.percent(health?.delivered_percent ?? null),
      align: "end",
      narrow: "above-end",
      width: "w-[10%]",
    },
    {
      id: "median",
      header: texts.median,
      cell: ({ health }) => texts.milliseconds(health?.p50_milliseconds ?? null),
      align: "end",
      width: "w-[8%]",
    },
    {
      id: "waiting",
      header: texts.waiting,
      cell: ({ health }) => texts.count(health?.pending ?? 0, most_counted),
      align: "end",
      width: "w-[7%]",
    },
    {
      id: "last-failure",
      header: texts.last_failure,
      cell: ({ health }) => <LastFailure failure={health?.last_failure ?? null} />,
      narrow: "below-end",
      width: "w-[15%]",
    },
  ];
}

function LastFailure({ failure }: { failure: NonNullable<EndpointRow["health"]>["last_failure"] }) {
  if (failure === null) return <span className="cards:hidden">—</span>;
  return (
    <>
      {failureName(failure)}
      <span className="cards:hidden">
        {", "}
        <Time at={failure.failed_at} />
      </span>
    </>
  );
}
