import {
  ArrowLeftRight,
  Bell,
  Building2,
  Cable,
  ChartLine,
  Coins,
  CreditCard,
  Fingerprint,
  HeartPulse,
  History,
  KeyRound,
  Landmark,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  Megaphone,
  Palette,
  Radio,
  SearchX,
  ShieldCheck,
  UserPlus,
  UserRoundCog,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";
import type { Attention } from "../reports/attention.ts";
import { texts } from "./texts.ts";

/** A page of an organization in the navigation. */
export interface NavigationPage {
  /** Below the organization's address. */
  path: string;
  label: string;
  icon: LucideIcon;
  /** The shortcut. */
  keys: string;
  section: string | null;
  /** In the bar at the bottom of a phone, which has room for four. */
  first?: boolean;
  /** The number of open tasks on the page. */
  count?: (attention: Attention) => number;
}

/** In the order of the navigation; pages of a section stand together. */
export const PAGES: readonly NavigationPage[] = [
  {
    path: "",
    label: texts.overview,
    icon: LayoutDashboard,
    keys: "g o",
    section: null,
    first: true,
  },
  { path: "/performance", label: texts.performance, icon: ChartLine, keys: "g v", section: null },
  {
    path: "/affiliates",
    label: texts.affiliates,
    icon: Users,
    keys: "g a",
    section: texts.people,
    first: true,
    count: ({ applications }) => applications.count,
  },
  { path: "/referrals", label: texts.referrals, icon: UserPlus, keys: "g r", section: texts.people },
  {
    path: "/payments",
    label: texts.payments,
    icon: CreditCard,
    keys: "g p",
    section: texts.money,
    first: true,
  },
  {
    path: "/commissions",
    label: texts.commissions,
    icon: Coins,
    keys: "g c",
    section: texts.money,
    first: true,
  },
  {
    path: "/commissions/review",
    label: texts.review,
    icon: ListChecks,
    keys: "g x",
    section: texts.money,
    count: ({ reviews }) => reviews.count,
  },
  {
    path: "/payouts",
    label: texts.payouts,
    icon: Wallet,
    keys: "g u",
    section: texts.money,
    count: ({ waiting_runs }) => waiting_runs,
  },
  {
    path: "/claims",
    label: texts.claims,
    icon: SearchX,
    keys: "g i",
    section: texts.money,
    count: ({ claims }) => claims.count,
  },
  {
    path: "/campaigns",
    label: texts.campaigns,
    icon: Megaphone,
    keys: "g m",
    section: texts.program,
  },
  {
    path: "/connections",
    label: texts.connections,
    icon: Cable,
    keys: "g n",
    section: texts.developers,
  },
  {
    path: "/developers/keys",
    label: texts.keys,
    icon: KeyRound,
    keys: "g k",
    section: texts.developers,
  },
  {
    path: "/developers/events",
    label: texts.events,
    icon: Radio,
    keys: "g e",
    section: texts.developers,
  },
  {
    path: "/developers/webhooks",
    label: texts.webhooks,
    icon: Webhook,
    keys: "g w",
    section: texts.developers,
  },
  {
    path: "/settings/organization",
    label: texts.organization_settings,
    icon: Building2,
    keys: "g s",
    section: texts.settings,
  },
  {
    path: "/settings/portal",
    label: texts.portal_settings,
    icon: Palette,
    keys: "g b",
    section: texts.settings,
  },
  {
    path: "/settings/payouts",
    label: texts.payout_settings,
    icon: Landmark,
    keys: "g y",
    section: texts.settings,
  },
  {
    path: "/settings/currencies",
    label: texts.currencies,
    icon: ArrowLeftRight,
    keys: "g z",
    section: texts.settings,
  },
  {
    path: "/settings/security",
    label: texts.security,
    icon: ShieldCheck,
    keys: "g f",
    section: texts.settings,
  },
  {
    path: "/settings/single-sign-on",
    label: texts.single_sign_on,
    icon: Fingerprint,
    keys: "g q",
    section: texts.settings,
  },
  { path: "/settings/team", label: texts.team, icon: UserRoundCog, keys: "g t", section: texts.settings },
  {
    path: "/settings/notifications",
    label: texts.notifications,
    icon: Bell,
    keys: "g d",
    section: texts.settings,
  },
  {
    path: "/settings/history",
    label: texts.history,
    icon: History,
    keys: "g h",
    section: texts.settings,
  },
  {
    path: "/settings/health",
    label: texts.health,
    icon: HeartPulse,
    keys: "g l",
    section: texts.settings,
  },
];
