import { lazy, Suspense } from "react";
import { PolicyGate } from "../identity/policies/policy-gate.tsx";
import { SearchPalette } from "../search/search-palette.tsx";
import { previewPayments, usePreviewedPayments } from "../session/offered-payments.ts";
import { OrganizationPage } from "../shell/organization-page.tsx";

const DecideAgain = lazy(async () => ({
  default: (await import("../attribution/decide-again.tsx")).DecideAgain,
}));

/** The frame around an organization's pages, with a dialog that toasts and notices of several areas open. */
export function OrganizationFrame() {
  return <OrganizationPage palette={<SearchPalette />} overlay={<PreviewedPayments />} gate={PolicyGate} />;
}

function PreviewedPayments() {
  const ids = usePreviewedPayments();
  return (
    <Suspense>
      {ids !== null && <DecideAgain ids={ids} open onClose={() => previewPayments(null)} />}
    </Suspense>
  );
}
