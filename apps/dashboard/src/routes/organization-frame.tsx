import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { PolicyGate } from "../identity/policies/policy-gate.tsx";
import { SearchPalette } from "../search/search-palette.tsx";
import { useBulkChange } from "../session/bulk-change.ts";
import { previewPayments, usePreviewedPayments } from "../session/offered-payments.ts";
import { OrganizationPage } from "../shell/organization-page.tsx";

const DecideAgain = lazyPart(() => import("../attribution/decide-again.tsx"), "DecideAgain");

const BulkDialog = lazyPart(() => import("../lists/bulk/bulk-dialog.tsx"), "BulkDialog");

/** The frame around an organization's pages, with the dialogs that several areas open. */
export function OrganizationFrame() {
  const overlay = (
    <>
      <PreviewedPayments />
      <ManyRows />
    </>
  );
  return <OrganizationPage palette={<SearchPalette />} overlay={overlay} gate={PolicyGate} />;
}

/** A change of many rows. It goes on while the reader visits other pages of the organization. */
function ManyRows() {
  const change = useBulkChange();
  return <Suspense>{change !== null && <BulkDialog change={change} />}</Suspense>;
}

function PreviewedPayments() {
  const ids = usePreviewedPayments();
  return (
    <Suspense>
      {ids !== null && <DecideAgain ids={ids} open onClose={() => previewPayments(null)} />}
    </Suspense>
  );
}
