import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense, useState } from "react";
import { useWaitingIds } from "../../session/delayed-changes.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { DetailPage } from "../../shell/detail-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { BanButton } from "../ban-button.tsx";
import { texts as form_texts } from "../form-texts.ts";
import { nameOf } from "../name.ts";
import { owedOf } from "../owed.ts";
import { affiliateQuery, type Detail } from "../queries.ts";
import { AFFILIATE_TABS } from "../search.ts";
import { Status } from "../status.tsx";
import { UnbanButton } from "../unban-button.tsx";
import { useReview } from "../use-review.ts";
import { ErasedBan } from "./erased-ban.tsx";
import { PayoutHold } from "./payout-hold.tsx";
import { texts } from "./texts.ts";
import { ViewPortalButton } from "./view-portal-button.tsx";

const EditDialog = lazyPart(() => import("./edit-dialog.tsx"), "EditDialog");
const SummaryTab = lazyPart(() => import("./summary-tab.tsx"), "SummaryTab");
const PerformanceTab = lazyPart(
  () => import("../../reports/performance/affiliate-tab.tsx"),
  "PerformanceTab",
);
const CodesTab = lazyPart(() => import("./codes-tab.tsx"), "CodesTab");
const LedgerTab = lazyPart(() => import("./ledger-tab.tsx"), "LedgerTab");
const HistoryTab = lazyPart(() => import("./history-tab.tsx"), "HistoryTab");
const BroughtTab = lazyPart(() => import("./brought-tabs.tsx"), "BroughtTab");

const Agreement = lazyPart(() => import("./agreement.tsx"), "Agreement");
const RefusedNotice = lazyPart(() => import("./refused-notice.tsx"), "RefusedNotice");

const route = getRouteApi("/o/$slug/affiliates/$id");

/** The organization's relation to one affiliate: balance, referrals, earnings. */
export function AffiliatePage() {
  const session = useSession();
  const { id } = route.useParams();
  const { tab } = route.useSearch();
  const query = useQuery(affiliateQuery(session, id));
  const path = `${session.home}/affiliates/${id}`;
  const may_change = useMay("admin");
  return (
    <DetailPage
      query={query}
      parent={{ to: `${session.home}/affiliates`, label: texts.parent }}
      title={({ affiliate }) => nameOf(affiliate)}
      beside={(detail) => <Beside detail={detail} />}
      actions={(detail) => may_change && !detail.erased && <Actions detail={detail} />}
      tabs={
        <PageTabs
          label={texts.parts}
          tabs={["summary", ...AFFILIATE_TABS].map((part) => ({
            to: part === "summary" ? path : `${path}?tab=${part}`,
            label: texts.tabs[part] ?? part,
            current: part === (tab ?? "summary"),
          }))}
        />
      }
    >
      {(detail) => (
        <div className="pt-4 pb-12">
          <State detail={detail} />
          <PayoutHold detail={detail} />
          <Suspense>
            {detail.agreed_at === null && !detail.erased && <Agreement detail={detail} />}
            {may_change && detail.state === "active" && (
              <RefusedNotice id={detail.affiliate.id} name={nameOf(detail.affiliate)} />
            )}
          </Suspense>
          <Suspense fallback={<SkeletonRows label={shell_texts.loading} />}>
            <Part detail={detail} tab={tab} />
          </Suspense>
        </div>
      )}
    </DetailPage>
  );
}

function Part({ detail, tab }: { detail: Detail; tab: string | undefined }) {
  switch (tab) {
    case "performance":
      return <PerformanceTab id={detail.affiliate.id} />;
    case "codes":
      return <CodesTab detail={detail} />;
    case "referrals":
    case "commissions":
    case "payments":
      return <BroughtTab id={detail.affiliate.id} tab={tab} />;
    case "ledger":
      return <LedgerTab detail={detail} />;
    case "history":
      return <HistoryTab id={detail.affiliate.id} />;
    default:
      return <SummaryTab detail={detail} />;
  }
}

function Beside({ detail: { affiliate, state } }: { detail: Detail }) {
  const code = affiliate.links[0]?.code ?? affiliate.promo_codes[0]?.code;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-table">
      <Status state={state} />
      <bdi className="max-w-60 truncate">{affiliate.campaign.name}</bdi>
      {code !== undefined && (
        <span className="inline-flex items-center gap-1">
          <code className="font-mono text-meta">{code}</code>
          <CopyButton
            text={affiliate.links[0]?.url ?? code}
            label={affiliate.links[0] === undefined ? texts.copy_code : texts.copy_link}
            quiet
          />
        </span>
      )}
    </span>
  );
}

/** Why the affiliate earns nothing now. */
function State({ detail }: { detail: Detail }) {
  const { home } = useSession();
  const { state, erased, decline_reason, ban_reason, affiliate } = detail;
  if (erased && detail.erased_ban !== null) return <ErasedBan detail={detail} />;
  if (erased) return <Framed tone="info" title={texts.erased} text={texts.erased_hint} />;
  if (state === "declined") {
    return <Framed tone="warn" title={texts.declined} text={decline_reason ?? texts.no_reason} />;
  }
  if (state === "left") return <Framed tone="info" title={texts.left} text={texts.left_hint} />;
  if (state === "banned" && ban_reason !== null) {
    return <Framed tone="warn" title={texts.banned} text={ban_reason} />;
  }
  if (state !== "waiting") return null;
  return (
    <div className="pb-4">
      <Notice
        tone="info"
        title={texts.waiting}
        actions={
          <ButtonLink to={`${home}/affiliates/waiting?open=${affiliate.id}`}>
            {texts.open_application}
          </ButtonLink>
        }
      />
    </div>
  );
}

function Framed({ tone, title, text }: { tone: "info" | "warn"; title: string; text: string }) {
  return (
    <div className="pb-4">
      <Notice tone={tone} title={title}>
        <span dir="auto">{text}</span>
      </Notice>
    </div>
  );
}

function Actions({ detail: { affiliate, state, payout_hold, balances } }: { detail: Detail }) {
  const { approve } = useReview();
  const deciding = useWaitingIds().has(affiliate.id);
  const [editing, setEditing] = useState(false);
  const ids = [affiliate.id];
  return (
    <>
      <ViewPortalButton id={affiliate.id} />
      <Button onClick={() => setEditing(true)}>{form_texts.edit}</Button>
      {state === "banned" || state === "left" ? (
        <UnbanButton
          ids={ids}
          label={state === "left" ? texts.take_back : texts.unban}
          name={nameOf(affiliate)}
          held={payout_hold?.of_ban === true ? { owed: owedOf(balances) } : null}
        />
      ) : (
        <BanButton ids={[affiliate.id]} name={nameOf(affiliate)} />
      )}
      {(state === "waiting" || state === "declined") && (
        <Button look="solid" busy={deciding} onClick={() => approve(ids)}>
          {texts.approve}
        </Button>
      )}
      <Suspense>{editing && <EditDialog affiliate={affiliate} onClose={() => setEditing(false)} />}</Suspense>
    </>
  );
}
