import type { ComponentType } from "react";
import type { Part } from "./language/language.tsx";
import type { Program } from "./session/session.tsx";

/** A page with its address. */
export interface Screen {
  path: string;
  load: () => Promise<ComponentType>;
  /** The states in which affiliates see it; null: everybody, without a session. */
  states: readonly Program["state"][] | null;
  /** False: it is not there in a frame of an organization's product. */
  embedded?: false;
  /** The texts that it needs beside those of the entrance. Default: with a session, those of a program. */
  texts?: readonly Part[];
}

const ACTIVE = ["active"] as const;
/** Whoever is paid. */
const PAID = ["active", "banned", "left"] as const;

/** All pages of the portal; the first whose address fits is shown. */
export const SCREENS: readonly Screen[] = [
  {
    path: "/sign-in",
    load: async () => (await import("./sign-in/sign-in-page.tsx")).SignInPage,
    states: null,
  },
  {
    path: "/sign-in/confirm",
    load: async () => (await import("./sign-in/confirm-page.tsx")).ConfirmPage,
    states: null,
  },
  {
    path: "/waiting",
    load: async () => (await import("./states/waiting-page.tsx")).WaitingPage,
    states: ["waiting", "declined"],
    texts: ["joining", "states"],
  },
  {
    path: "/closed",
    load: async () => (await import("./states/closed-page.tsx")).ClosedPage,
    states: ["banned", "left"],
  },
  {
    path: "/",
    load: async () => (await import("./home/home-page.tsx")).HomePage,
    states: ACTIVE,
  },
  {
    path: "/payouts",
    load: async () => (await import("./payouts/payouts-page.tsx")).PayoutsPage,
    states: PAID,
  },
  {
    path: "/payouts/:id",
    load: async () => (await import("./payouts/statement-page.tsx")).StatementPage,
    states: PAID,
  },
  {
    path: "/settings",
    load: async () => (await import("./settings/settings-page.tsx")).SettingsPage,
    states: ACTIVE,
    embedded: false,
  },
  {
    path: "/missing-sale",
    load: async () => (await import("./claims/missing-sale-page.tsx")).MissingSalePage,
    states: ACTIVE,
  },
  {
    path: "/:organization",
    load: async () => (await import("./join/programs-page.tsx")).ProgramsPage,
    states: null,
    texts: ["joining"],
  },
  {
    path: "/:organization/:campaign/join",
    load: async () => (await import("./join/join-page.tsx")).JoinPage,
    states: null,
    texts: ["joining"],
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

const NONE: readonly Part[] = [];
const OF_PROGRAM: readonly Part[] = ["program"];

/** The texts that a screen needs. */
export function textsOf({ states, texts }: Screen): readonly Part[] {
  return texts ?? (states === null ? NONE : OF_PROGRAM);
}
