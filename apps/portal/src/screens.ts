import type { ComponentType } from "react";
import type { Subject } from "./language/language.tsx";
import type { Program } from "./session/session.tsx";

/** A page with its address. */
export interface Screen {
  path: string;
  load: () => Promise<ComponentType>;
  /** The states in which affiliates see it; null: everybody, without a session. */
  states: readonly Program["state"][] | null;
  /** False: it is not there in a frame of an organization's product. */
  embedded?: false;
  /** The subjects of its texts, in addition to the entrance's. */
  texts: readonly Subject[];
}

const ACTIVE = ["active"] as const;
/** The states of affiliates who are paid. */
const PAID = ["active", "banned", "left"] as const;

/** All pages of the portal; the first one that fits the address is shown. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/sign-in",
    load: async () => (await import("./identity/sign-in/sign-in-page.tsx")).SignInPage,
    states: null,
    texts: [],
  },
  {
    path: "/sign-in/confirm",
    load: async () => (await import("./identity/sign-in/confirm-page.tsx")).ConfirmPage,
    states: null,
    texts: [],
  },
  {
    path: "/waiting",
    load: async () => (await import("./affiliates/states/waiting-page.tsx")).WaitingPage,
    states: ["waiting", "declined"],
    texts: ["join", "states", "terms"],
  },
  {
    path: "/closed",
    load: async () => (await import("./affiliates/states/closed-page.tsx")).ClosedPage,
    states: ["banned", "left"],
    texts: ["settings", "states"],
  },
  {
    path: "/invitations",
    load: async () => (await import("./affiliates/invitations/invitations-page.tsx")).InvitationsPage,
    states: null,
    texts: ["invitations"],
    embedded: false,
  },
  {
    path: "/earnings",
    load: async () => (await import("./commissions/list-page.tsx")).EarningsPage,
    states: ACTIVE,
    texts: ["commissions", "earnings"],
  },
  {
    path: "/earnings/performance",
    load: async () => (await import("./reports/performance-page.tsx")).PerformancePage,
    states: ACTIVE,
    texts: ["performance"],
  },
  {
    path: "/earnings/:id",
    load: async () => (await import("./commissions/story-page.tsx")).StoryPage,
    states: ACTIVE,
    texts: ["commissions", "earnings"],
  },
  {
    path: "/referrals",
    load: async () => (await import("./customers/referrals/list-page.tsx")).ReferralsPage,
    states: ACTIVE,
    texts: ["referrals"],
  },
  {
    path: "/",
    load: async () => (await import("./reports/home-page.tsx")).HomePage,
    states: ACTIVE,
    texts: ["commissions", "home"],
  },
  {
    path: "/payouts",
    load: async () => (await import("./payouts/payouts-page.tsx")).PayoutsPage,
    states: PAID,
    texts: ["payouts"],
  },
  {
    path: "/payouts/:id",
    load: async () => (await import("./payouts/statement-page.tsx")).StatementPage,
    states: PAID,
    texts: ["payouts"],
  },
  {
    path: "/settings",
    load: async () => (await import("./identity/settings/settings-page.tsx")).SettingsPage,
    states: ACTIVE,
    texts: ["settings"],
    embedded: false,
  },
  {
    path: "/missing-sale",
    load: async () => (await import("./customers/claims/missing-sale-page.tsx")).MissingSalePage,
    states: ACTIVE,
    texts: ["claims"],
  },
  {
    path: "/:organization",
    load: async () => (await import("./affiliates/join/programs-page.tsx")).ProgramsPage,
    states: null,
    texts: ["join", "terms"],
  },
  {
    path: "/:organization/:campaign/join",
    load: async () => (await import("./affiliates/join/join-page.tsx")).JoinPage,
    states: null,
    texts: ["join", "terms"],
  },
];

/** The screen of an address, which has no parameters; undefined: there is none. */
export function screenAt<Found extends Screen>(
  screens: readonly Found[],
  address: string,
): Found | undefined {
  const names = address.split("/");
  return screens.find(({ path }) => {
    const pattern = path.split("/");
    return (
      pattern.length === names.length &&
      pattern.every((name, index) => (name.startsWith(":") ? names[index] !== "" : name === names[index]))
    );
  });
}
