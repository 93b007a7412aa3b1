import { PageTabs } from "@findersfee/ui/shell/page";
import { useSession } from "../session/session.tsx";
import { review_texts } from "./review-texts.ts";

/** The queue by commission, and by affiliates with signs of fraud. */
export function ReviewTabs({ part }: { part: "commissions" | "affiliates" }) {
  const { home } = useSession();
  return (
    <PageTabs
      label={review_texts.parts}
      tabs={[
        {
          to: `${home}/commissions/review`,
          label: review_texts.by_commission,
          current: part === "commissions",
        },
        {
          to: `${home}/commissions/review/affiliates`,
          label: review_texts.by_affiliate,
          current: part === "affiliates",
        },
      ]}
    />
  );
}
