import "../../main.css";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { createQueryClient } from "@findersfee/ui/requests/query-client";
import { Providers } from "@findersfee/ui/shell/providers";
import { render } from "@findersfee/ui/shell/render";
import { type ComponentType, Suspense } from "react";
import { documentNavigation } from "../../shell/document-navigation.ts";
import { ErrorBoundary } from "./error-boundary.tsx";

/* The document of everybody without a session: a page for each address. Each link loads a document, so no router is needed. */

const PAGES: Record<string, () => Promise<ComponentType>> = {
  "/sign-in": async () => (await import("./sign-in-page.tsx")).SignInPage,
  "/sign-in/second-step": async () => (await import("./second-step-page.tsx")).SecondStepPage,
  "/sign-in/single-sign-on": async () => (await import("./single-sign-on-page.tsx")).SingleSignOnPage,
  "/sign-in/confirm-email": async () => (await import("./confirm-email-page.tsx")).ConfirmEmailPage,
  "/sign-in/confirm-device": async () => (await import("./confirm-device-page.tsx")).ConfirmDevicePage,
  "/setup": async () => (await import("./setup-page.tsx")).SetupPage,
  "/reset": async () => (await import("./reset-page.tsx")).ResetPage,
  "/invitation": async () => (await import("./invitation-page.tsx")).InvitationPage,
};

// Another link of the same page, opened in the same tab.
window.addEventListener("hashchange", () => window.location.reload());

const path = window.location.pathname.slice(APPLICATION_PATH.length).replace(/(?<=.)\/$/, "");
const load = PAGES[path] ?? (async () => (await import("../../shell/not-found-page.tsx")).NotFoundPage);
const EntrancePage = lazyPart(async () => ({ Page: await load() }), "Page");

render(
  createQueryClient(() => {}),
  <Providers navigation={documentNavigation}>
    <ErrorBoundary>
      <Suspense fallback={null}>
        <EntrancePage />
      </Suspense>
    </ErrorBoundary>
  </Providers>,
);
