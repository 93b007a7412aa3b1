import type { CommissionState } from "@findersfee/contract/commissions/rows";
import { buttonClass } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { Untrusted } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { useQuery } from "@tanstack/react-query";
import { ReceiptText } from "lucide-react";
import { useSearch } from "wouter";
import { useTexts } from "../language/language.tsx";
import { type Formats, useFormats } from "../language/use-formats.ts";
import { List } from "../lists/list.tsx";
import type { Column } from "../lists/rows.tsx";
import { useArrivals } from "../live/use-arrivals.ts";
import { useLive } from "../live/use-live.ts";
import { useSession } from "../session/session.tsx";
import { Page } from "../shell/page.tsx";
import type { Texts } from "../texts/texts.ts";
import { leadName } from "./lead-name.ts";
import { type Earning, earningsQuery } from "./queries.ts";
import { addressOf, readSearch } from "./search.ts";
import { StateFilter } from "./state-filter.tsx";
import { Status } from "./status.tsx";

/** The affiliate's commissions and adjustments, newest first. */
export function EarningsPage() {
  const texts = useTexts();
  const formats = useFormats();
  const { program, api } = useSession();
  const search = readSearch(useSearch());
  const loaded = useQuery(earningsQuery(api, program.affiliate_id, search));
  useLive();
  const { state } = search;
  const is_first_page = search.after === undefined && search.before === undefined;
  const { announcement, isNew } = useArrivals(
    is_first_page && !loaded.isPlaceholderData ? loaded.data?.data : undefined,
    state,
  );
  const { earnings } = texts;
  return (
    <Page title={earnings.title} document_title={`${earnings.title} · ${program.organization_name}`}>
      <StateFilter chosen={state} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <List
        loaded={loaded}
        label={earnings.title}
        columns={columnsOf(texts, formats)}
        keyOf={({ id }) => id}
        linkTo={({ id }) => `/earnings/${id}`}
        isNew={({ id }) => is_first_page && isNew(id)}
        pageTo={(page) => addressOf({ ...(state === undefined ? {} : { state }), ...page })}
        empty={<NoEarnings state={state} />}
      />
      <Link
        to="/missing-sale"
        className="mt-4 inline-flex min-h-11 items-center text-table text-muted underline underline-offset-2 hover:text-ink"
      >
        {texts.commissions.sale_missing}
      </Link>
    </Page>
  );
}

function NoEarnings({ state }: { state: CommissionState | undefined }) {
  const { commissions, earnings } = useTexts();
  if (state === undefined) {
    return (
      <Empty icon={ReceiptText} title={earnings.none}>
        {earnings.none_hint}
      </Empty>
    );
  }
  return (
    <Empty
      title={earnings.none_match(commissions.states[state])}
      action={
        <Link to="/earnings" className={buttonClass("plain")}>
          {earnings.show_all}
        </Link>
      }
    />
  );
}

function columnsOf({ earnings }: Texts, { day, gain }: Formats): Column<Earning>[] {
  return [
    {
      id: "customer",
      header: earnings.customer,
      cell: ({ customer, adjustment, lead, recruit }) => (
        <>
          <Untrusted lines={1}>
            {recruit === null ? (adjustment?.reason ?? customer ?? "") : earnings.of_recruit(recruit.name)}
          </Untrusted>
          {lead !== null && (
            <span className="block truncate font-normal text-muted text-table">
              {leadName(lead, earnings)}
            </span>
          )}
        </>
      ),
      strong: true,
      phone: "above",
      width: 4,
    },
    {
      id: "date",
      header: earnings.date,
      cell: ({ referral_date }) => <time dateTime={referral_date}>{day(referral_date)}</time>,
      phone: "below",
      width: 2,
    },
    {
      id: "status",
      header: earnings.status,
      cell: (earning) => <Status earning={earning} />,
      phone: "below-end",
      width: 4,
    },
    {
      id: "amount",
      header: earnings.amount,
      cell: ({ commission_amount, currency, state }) => (
        <span className={state === "voided" ? "text-muted line-through" : ""}>
          {gain(commission_amount, currency)}
        </span>
      ),
      align: "end",
      strong: true,
      phone: "above-end",
      width: 2,
    },
  ];
}
