import { Money, Untrusted } from "@findersfee/ui/components/values";
import { formatCountBelow } from "@findersfee/ui/formats/counts";
import type { Column } from "@findersfee/ui/lists/table";
import type { CampaignRow } from "./queries.ts";
import { rateText } from "./rate-text.ts";
import { texts } from "./texts.ts";

type Campaign = CampaignRow["campaign"];

/** Counting stops there. */
const MOST = 1000;

const countOf = (count: number) => formatCountBelow(count, MOST);

/** `currency`: the organization's, of fixed amounts, and first among the revenue's. */
export function campaignColumns(currency: string): readonly Column<CampaignRow>[] {
  return [
    {
      id: "name",
      header: texts.name,
      cell: ({ campaign }) => <Name campaign={campaign} />,
      narrow: "above",
      strong: true,
    },
    {
      id: "rate",
      header: texts.rate,
      cell: ({ campaign }) => rateText(campaign, currency),
      narrow: "below",
      width: "w-44",
    },
    {
      id: "mode",
      header: texts.mode,
      cell: ({ campaign }) => texts.modes[campaign.code_mode],
      roomy: true,
      width: "w-32",
    },
    {
      id: "affiliates",
      header: texts.affiliates,
      cell: ({ affiliates }) => countOf(affiliates),
      align: "end",
      width: "w-24",
    },
    {
      id: "waiting",
      header: texts.waiting,
      cell: ({ waiting }) => <Applications count={waiting} />,
      align: "end",
      narrow: "below-end",
      width: "w-24",
    },
    {
      id: "revenue",
      header: texts.revenue,
      cell: ({ revenue }) => <Revenue amounts={revenue} first_currency={currency} />,
      align: "end",
      narrow: "above-end",
      width: "w-44",
    },
  ];
}

function Name({ campaign: { name, is_default } }: { campaign: Campaign }) {
  return (
    <span className="flex min-w-0 items-baseline gap-2">
      <span className="min-w-0">
        <Untrusted lines={1}>{name}</Untrusted>
      </span>
      {is_default && <span className="shrink-0 text-meta font-normal text-muted">{texts.default}</span>}
    </span>
  );
}

function Applications({ count }: { count: number }) {
  if (count === 0) return <span className="cards:hidden">—</span>;
  return (
    <>
      {countOf(count)}
      <span className="columns:hidden"> {texts.applications(count)}</span>
    </>
  );
}

function Revenue({ amounts, first_currency }: { amounts: CampaignRow["revenue"]; first_currency: string }) {
  if (amounts.length === 0) return "—";
  const is_first = ({ currency }: { currency: string }) => currency === first_currency;
  return (
    <span className="inline-flex flex-wrap justify-end gap-x-2">
      {[...amounts.filter(is_first), ...amounts.filter((item) => !is_first(item))].map(
        ({ amount, currency }) => (
          <Money key={currency} amount={amount} currency={currency} />
        ),
      )}
    </span>
  );
}
