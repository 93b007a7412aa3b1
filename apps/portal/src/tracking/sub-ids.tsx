import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useTexts } from "../language/language.tsx";
import { type Formats, useFormats } from "../language/use-formats.ts";
import { type Column, Rows } from "../lists/rows.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import type { Outputs, portal } from "../requests/portal.ts";
import { useSession } from "../session/session.tsx";
import type { Texts } from "../texts/texts.ts";

type SubId = Outputs["sub_ids"]["list"]["sub_ids"][number];

function subIdsQuery(api: typeof portal, affiliate_id: string) {
  return queryOptions({
    queryKey: ["sub-ids", affiliate_id],
    queryFn: ({ signal }) => api.sub_ids.list.query(undefined, { signal }),
  });
}

/** The results of each sub-id. */
export function SubIds() {
  const texts = useTexts();
  const { home, frame } = texts;
  const formats = useFormats();
  const { program, api } = useSession();
  const { data, error, refetch } = useQuery(subIdsQuery(api, program.affiliate_id));
  if (data === undefined) {
    return error === null ? (
      <SkeletonRows rows={3} label={frame.loading} />
    ) : (
      <FailureNotice error={error} onRetry={() => void refetch()} />
    );
  }
  const { sub_ids, has_more } = data;
  if (sub_ids.length === 0) return <p className="py-2 text-muted">{home.no_sub_ids}</p>;
  return (
    <>
      <Rows
        label={home.sub_ids}
        columns={columnsOf(texts, formats)}
        rows={sub_ids}
        keyOf={({ sub_id }) => sub_id}
      />
      <p className="mt-2 text-meta text-muted">
        {home.sub_ids_hint} {has_more && home.more_sub_ids(sub_ids.length)}
      </p>
    </>
  );
}

function columnsOf({ home }: Texts, { number, money }: Formats): Column<SubId>[] {
  return [
    { id: "sub", header: home.sub_id, cell: ({ sub_id }) => sub_id, strong: true, phone: "above", width: 3 },
    { id: "clicks", header: home.clicks, cell: ({ clicks }) => number(clicks), align: "end", width: 2 },
    { id: "signups", header: home.signups, cell: ({ signups }) => number(signups), align: "end", width: 3 },
    {
      id: "converted",
      header: home.converted,
      cell: ({ conversions }) => number(conversions),
      align: "end",
      width: 2,
    },
    {
      id: "earned",
      header: home.earned,
      cell: ({ earned }) =>
        earned.length === 0
          ? "—"
          : earned.map(({ currency, amount }) => (
              <span key={currency} className="block">
                {money(amount, currency)}
              </span>
            )),
      align: "end",
      strong: true,
      phone: "above-end",
      width: 2,
    },
  ];
}
