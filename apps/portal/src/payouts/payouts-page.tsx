import { Empty } from "@findersfee/ui/components/empty";
import { useQuery } from "@tanstack/react-query";
import { Banknote } from "lucide-react";
import { useSearch } from "wouter";
import { useTexts } from "../language/language.tsx";
import { type Formats, useFormats } from "../language/use-formats.ts";
import { List } from "../lists/list.tsx";
import type { Column } from "../lists/rows.tsx";
import { useSession } from "../session/session.tsx";
import { Page } from "../shell/page.tsx";
import type { Texts } from "../texts/texts.ts";
import { type Payout, type PayoutsSearch, payoutsQuery } from "./queries.ts";
import { Status } from "./status.tsx";

/** The affiliate's payouts, newest first. */
export function PayoutsPage() {
  const texts = useTexts();
  const formats = useFormats();
  const { program, api } = useSession();
  const search = readSearch(useSearch());
  const loaded = useQuery(payoutsQuery(api, program.affiliate_id, search));
  const { payouts } = texts;
  return (
    <Page
      title={payouts.title}
      document_title={`${payouts.title} · ${program.organization_name}`}
      {...(program.state === "active" ? {} : { parent: { to: "/closed", label: payouts.back } })}
    >
      <List
        loaded={loaded}
        label={payouts.title}
        columns={columnsOf(texts, formats)}
        keyOf={({ id }) => id}
        linkTo={({ id }) => `/payouts/${id}`}
        pageTo={(page) => `/payouts?${new URLSearchParams(page)}`}
        empty={
          <Empty icon={Banknote} title={payouts.none}>
            {payouts.none_hint}
          </Empty>
        }
      />
    </Page>
  );
}

function readSearch(query: string): PayoutsSearch {
  const parameters = new URLSearchParams(query);
  const after = parameters.get("after");
  const before = parameters.get("before");
  return after ? { after } : before ? { before } : {};
}

function columnsOf({ payouts }: Texts, { month, money, number }: Formats): Column<Payout>[] {
  return [
    {
      id: "month",
      header: payouts.month,
      cell: ({ period }) => month(period),
      strong: true,
      phone: "above",
      width: 3,
    },
    {
      id: "status",
      header: payouts.status,
      cell: (payout) => <Status payout={payout} />,
      phone: "below",
      width: 4,
    },
    {
      id: "lines",
      header: payouts.line_count,
      cell: ({ payment_count }) => <span className="max-tablet:hidden">{number(payment_count)}</span>,
      phone: "below-end",
      align: "end",
      width: 3,
    },
    {
      id: "amount",
      header: payouts.amount,
      cell: ({ amount, currency }) => money(amount, currency),
      align: "end",
      strong: true,
      phone: "above-end",
      width: 2,
    },
  ];
}
