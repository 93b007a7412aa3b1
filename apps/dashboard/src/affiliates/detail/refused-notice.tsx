import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { useQuery } from "@tanstack/react-query";
import { previewPayments } from "../../session/offered-payments.ts";
import { useSession } from "../../session/session.tsx";
import { refusedQuery } from "../queries.ts";
import { texts } from "../texts.ts";

/** Offers to decide again the payments that earned nothing before the affiliate was approved. */
export function RefusedNotice({ id, name }: { id: string; name: string }) {
  const session = useSession();
  const { data } = useQuery(refusedQuery(session, [id], "affiliate_unapproved"));
  if (data === undefined || data.count === 0) return null;
  return (
    <div className="pb-4">
      <Notice
        tone="info"
        title={texts.was_unapproved(data.count, name)}
        actions={<Button onClick={() => previewPayments(data.ids)}>{texts.decide_again}</Button>}
      >
        {data.count > data.ids.length && texts.first_part(data.ids.length)}
      </Notice>
    </div>
  );
}
