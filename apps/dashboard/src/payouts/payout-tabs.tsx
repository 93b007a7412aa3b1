import { PageTabs } from "@findersfee/ui/shell/page";
import { useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

/** Payouts by run, and all of them. */
export function PayoutTabs({ part }: { part: "runs" | "all" }) {
  const { home } = useSession();
  return (
    <PageTabs
      label={texts.lists}
      tabs={[
        { to: `${home}/payouts`, label: texts.runs, current: part === "runs" },
        { to: `${home}/payouts/all`, label: texts.all_payouts, current: part === "all" },
      ]}
    />
  );
}
