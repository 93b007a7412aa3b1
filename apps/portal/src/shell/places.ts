import type { LucideIcon } from "lucide-react";
import { Banknote, ChartLine, House, ReceiptText, SearchX, Settings, Users } from "lucide-react";
import type { Texts } from "../texts/texts.ts";

/** The page of organizations that added the person. */
export const INVITATIONS_PATH = "/invitations";

/** A page of a program in the navigation. */
export interface Place {
  to: string;
  label: string;
  icon: LucideIcon;
  current: boolean;
  /** In the bar of phones; else in their menu. */
  in_bar: boolean;
  /** In the header of larger screens; else in their menu. */
  in_header: boolean;
}

/** The pages of a program, in the order of the navigation. */
export function placesOf(path: string, { frame }: Texts): Place[] {
  const places = [
    { to: "/", label: frame.home, icon: House, in_bar: true, in_header: true },
    { to: "/earnings", label: frame.earnings, icon: ReceiptText, in_bar: true, in_header: true },
    {
      to: "/earnings/performance",
      label: frame.performance,
      icon: ChartLine,
      in_bar: false,
      in_header: true,
    },
    { to: "/payouts", label: frame.payouts, icon: Banknote, in_bar: true, in_header: true },
    { to: "/referrals", label: frame.referrals, icon: Users, in_bar: false, in_header: true },
    { to: "/missing-sale", label: frame.missing_sale, icon: SearchX, in_bar: false, in_header: false },
    { to: "/settings", label: frame.settings, icon: Settings, in_bar: false, in_header: false },
  ];
  return places.map((place) => ({
    ...place,
    current: path === place.to || (isAbove(place.to, path) && !places.some(({ to }) => to === path)),
  }));
}

const isAbove = (to: string, path: string) => to !== "/" && path.startsWith(`${to}/`);
