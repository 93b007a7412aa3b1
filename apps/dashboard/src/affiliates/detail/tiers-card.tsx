import { Card } from "@findersfee/ui/components/card";
import { Time, Untrusted } from "@findersfee/ui/components/values";
import { formatMoney } from "@findersfee/ui/formats/money";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../session/session.tsx";
import { texts as list_texts } from "../texts.ts";

const texts = {
  title: "Tier",
  none: "No tier",
  periods: { month: "this month", last_90_days: "in the last 90 days", all_time: "in total" },
  measures: { customers: "customers", revenue: "revenue", commissions: "commissions" },
};

/** Changes that are shown. */
const SHOWN = 10;

/** An affiliate's tier, its former tiers, and its numbers. Empty if its campaign never had tiers. */
export function TiersCard({ affiliate_id }: { affiliate_id: string }) {
  const { api, organization } = useSession();
  const { data } = useQuery({
    queryKey: [organization.id, "tiers", affiliate_id],
    queryFn: ({ signal }) => api.affiliate_tiers.get.query({ affiliate_id }, { signal }),
  });
  if (data === undefined || (data.progress === null && data.changes.length === 0)) return null;
  const { progress, changes } = data;
  const number = (value: number) =>
    progress?.measure === "customers" ? list_texts.count(value) : formatMoney(value, organization.currency);
  return (
    <Card title={texts.title}>
      {progress !== null && (
        <p className="text-table text-muted">
          {number(progress.number)} {texts.measures[progress.measure]} {texts.periods[progress.period]}
        </p>
      )}
      {changes.length === 0 ? (
        <p className="text-table">{texts.none}</p>
      ) : (
        <ul className="mt-1 grid gap-1">
          {changes.slice(0, SHOWN).map(({ since, name }, index) => (
            <li
              key={since}
              className={`flex justify-between gap-3 text-table ${index === 0 ? "font-medium" : "text-muted"}`}
            >
              <span>{name === null ? texts.none : <Untrusted>{name}</Untrusted>}</span>
              <Time at={since} show="day" />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
