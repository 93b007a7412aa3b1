import { TextField } from "@findersfee/ui/components/controls";
import { State, type StateTone } from "@findersfee/ui/components/state";
import type { Column } from "@findersfee/ui/lists/table";
import { Menu } from "@findersfee/ui/overlays/menu";
import { PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Ellipsis, TicketPercent } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import { Rows } from "../../lists/rows.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { ConnectionsFrame } from "../connections/frame.tsx";
import { PROMO_CODES, type PromoCodeRow, promoCodesQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/connections/promo-codes");

const TONES: Record<PromoCodeRow["state"], StateTone> = {
  failed: "failed",
  made: "done",
  wanted: "waiting",
  needs_key: "warning",
  own: "none",
  none: "none",
};

function columnsWith(menuOf: ((code: PromoCodeRow) => ReactNode) | null): Column<PromoCodeRow>[] {
  const columns: Column<PromoCodeRow>[] = [
    {
      id: "code",
      header: texts.code,
      cell: ({ code }) => code,
      narrow: "above",
      strong: true,
      width: "w-[14%]",
    },
    {
      id: "affiliate",
      header: texts.affiliate,
      cell: ({ affiliate_email }) => <span dir="auto">{affiliate_email}</span>,
      width: "w-[22%]",
    },
    {
      id: "state",
      header: texts.state,
      cell: ({ state, linked }) => (
        <State tone={TONES[state]}>
          <span className="text-ink">{state === "made" && linked ? texts.linked : texts.states[state]}</span>
        </State>
      ),
      narrow: "below",
      width: "w-[22%]",
    },
    {
      id: "words",
      header: texts.words,
      cell: ({ error }) => (error === null ? "" : <span title={error}>{error}</span>),
      narrow: "below-end",
    },
    {
      id: "external",
      header: texts.at_stripe,
      cell: ({ external_id }) => <span className="font-mono text-meta">{external_id ?? ""}</span>,
      width: "w-[18%]",
      roomy: true,
    },
  ];
  if (menuOf === null) return columns;
  return [
    ...columns,
    { id: "menu", header: "", cell: menuOf, align: "end", narrow: "above-end", width: "w-14" },
  ];
}

/** Which promo codes could not be created at Stripe, and why? */
export function PromoCodesPage() {
  const session = useSession();
  const path = `${session.home}/connections/promo-codes`;
  const search = route.useSearch();
  const address: ListAddress<"state"> = useListAddress(path, search);
  const query = useQuery(promoCodesQuery(session, search));
  const may_change = useMay("admin");
  const [linking, setLinking] = useState<PromoCodeRow | null>(null);
  const columns = useMemo(
    () => columnsWith(may_change ? (code) => <CodeMenu code={code} onLink={setLinking} /> : null),
    [may_change],
  );
  const is_failed = search.state === "failed";
  return (
    <ConnectionsFrame part="promo-codes" error={query.error}>
      <div className="pt-2">
        <PageTabs
          label={texts.parts}
          tabs={[
            { to: path, label: texts.all, current: !is_failed },
            { to: `${path}?state=failed`, label: texts.failed, current: is_failed },
          ]}
        />
      </div>
      <Rows
        label={texts.title}
        address={address}
        query={query}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ code }) => code}
        empty={{
          icon: TicketPercent,
          nothing_yet: texts.nothing_yet,
          hint: texts.nothing_yet_hint,
          nothing_matches: texts.none_failed,
        }}
      />
      {linking !== null && <LinkDialog code={linking} onClose={() => setLinking(null)} />}
    </ConnectionsFrame>
  );
}

function CodeMenu({ code, onLink }: { code: PromoCodeRow; onLink: (code: PromoCodeRow) => void }) {
  const { api } = useSession();
  const { change } = useChange(PROMO_CODES);
  const retry = () => api.dashboard.promo_codes.retry.mutate({ affiliate_id: code.affiliate_id });
  return (
    <Menu
      label={texts.more(code.code)}
      look="quiet"
      shape="tiny"
      align="end"
      items={[
        {
          kind: "action",
          id: "retry",
          label: texts.retry,
          run: () => change({ run: retry, toast: { text: texts.retrying(code.code) } }),
        },
        { kind: "action", id: "link", label: texts.link, run: () => onLink(code) },
      ]}
    >
      <Ellipsis aria-hidden size={16} />
    </Menu>
  );
}

function LinkDialog({ code: { code, affiliate_id }, onClose }: { code: PromoCodeRow; onClose: () => void }) {
  const { api } = useSession();
  return (
    <OrganizationDialog
      open
      onClose={onClose}
      title={texts.link_title(code)}
      confirm={texts.link_now}
      done={texts.linked_done}
      changes={PROMO_CODES}
      fields={["external_id"]}
      run={(form) =>
        api.dashboard.promo_codes.link.mutate({
          affiliate_id,
          external_id: String(form.get("external_id") ?? "").trim(),
        })
      }
    >
      {(errorOf) => (
        <>
          <p>{texts.link_hint}</p>
          <TextField
            label={texts.external_id}
            name="external_id"
            dir="ltr"
            autoComplete="off"
            spellCheck={false}
            placeholder="promo_…"
            error={errorOf("external_id")}
          />
        </>
      )}
    </OrganizationDialog>
  );
}
