import { ButtonLink } from "@findersfee/ui/components/button";
import type { Column, NarrowPlace } from "@findersfee/ui/lists/table";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import { Coins, CreditCard, UserPlus } from "lucide-react";
import { paymentColumnsOf } from "../../attribution/columns.tsx";
import { paymentsQuery } from "../../attribution/queries.ts";
import { commissionColumns } from "../../commissions/columns.tsx";
import { commissionsQuery } from "../../commissions/queries.ts";
import { referralColumns } from "../../customers/referrals/columns.tsx";
import { referralsQuery } from "../../customers/referrals/queries.ts";
import { type RowQuery, Rows } from "../../lists/rows.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import type { RowPage } from "../../requests/row-page.ts";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/affiliates/$id");

/** The affiliate's results, in the columns of the organization's lists. */
export function BroughtTab({ id, tab }: { id: string; tab: "referrals" | "commissions" | "payments" }) {
  switch (tab) {
    case "referrals":
      return <ReferralsTab id={id} />;
    case "commissions":
      return <CommissionsTab id={id} />;
    case "payments":
      return <PaymentsTab id={id} />;
  }
}

/** The customers that the affiliate referred. */
function ReferralsTab({ id }: { id: string }) {
  const session = useSession();
  const { search, address } = usePlace(id);
  const query = useQuery(referralsQuery(session, { ...search, affiliate: id }));
  return (
    <Brought
      {...{ id, address, query, icon: UserPlus }}
      list="referrals"
      columns={placed(referralColumns(session.organization.currency), { signed_up: "below" })}
      nameOf={({ email }) => email}
      nothing_yet={texts.no_referrals}
    />
  );
}

/** The affiliate's commissions. */
function CommissionsTab({ id }: { id: string }) {
  const session = useSession();
  const { search, address } = usePlace(id);
  const query = useQuery(commissionsQuery(session, { ...search, affiliate: id }));
  return (
    <Brought
      {...{ id, address, query, icon: Coins }}
      list="commissions"
      columns={placed(commissionColumns(session.organization.currency), { customer: "above" })}
      nameOf={({ customer }) => customer.email}
      nothing_yet={texts.no_commissions}
    />
  );
}

/**
 * The payments with the affiliate as a candidate: with and without a commission, and payments that others
 * won.
 */
function PaymentsTab({ id }: { id: string }) {
  const session = useSession();
  const { search, address } = usePlace(id);
  const query = useQuery(paymentsQuery(session, { ...search, affiliate: id }));
  return (
    <Brought
      {...{ id, address, query, icon: CreditCard }}
      list="payments"
      columns={placed(paymentColumnsOf(id), {})}
      nameOf={({ processor_payment_id }) => processor_payment_id}
      nothing_yet={texts.no_payments}
    />
  );
}

/** The columns without the affiliate; others take its place on a phone. */
function placed<Row>(
  columns: readonly Column<Row>[],
  places: Record<string, NarrowPlace>,
): readonly Column<Row>[] {
  return columns
    .filter(({ id }) => id !== "affiliate")
    .map((column) => {
      const narrow = places[column.id];
      if (narrow === undefined) return column;
      return { ...column, narrow, ...(narrow === "above" ? { strong: true } : {}) };
    });
}

/** The place in the list of a tab, in the address. */
function usePlace(id: string) {
  const { home } = useSession();
  const search = route.useSearch();
  const address: ListAddress<"tab"> = useListAddress(`${home}/affiliates/${id}`, search);
  const { after, before, rows } = search;
  return { search: { after, before, rows }, address: { ...address, is_filtered: false } };
}

interface BroughtProps<Row> {
  id: string;
  /** The list of all affiliates' rows. */
  list: "referrals" | "commissions" | "payments";
  address: ListAddress<"tab">;
  query: RowQuery<RowPage<Row>>;
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  icon: LucideIcon;
  nothing_yet: string;
}

function Brought<Row extends { id: string }>(props: BroughtProps<Row>) {
  const { id, list, address, query, columns, nameOf, icon, nothing_yet } = props;
  const { home } = useSession();
  return (
    <>
      <p className="flex justify-end pb-2">
        <ButtonLink look="quiet" to={`${home}/${list}?affiliate=${id}`}>
          {texts.show_in_list}
        </ButtonLink>
      </p>
      <Rows
        label={texts.tabs[list] ?? list}
        address={address}
        query={query}
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={nameOf}
        linkTo={(row) => `${home}/${list}/${row.id}`}
        empty={{ icon, nothing_yet, hint: texts.brought_hint, nothing_matches: nothing_yet }}
      />
    </>
  );
}
