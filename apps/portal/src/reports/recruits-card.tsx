import { Card } from "@findersfee/ui/components/card";
import { Untrusted } from "@findersfee/ui/components/values";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../language/language.tsx";
import { useFormats } from "../language/use-formats.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import type { Outputs } from "../requests/portal.ts";
import { useSession } from "../session/session.tsx";
import { SharedLink } from "../tracking/share/shared-link.tsx";

type Recruit = Outputs["recruits"]["get"]["recruits"][number];

/** An affiliate's link for recruits, its earnings from their commissions, and its recruits. */
export function RecruitsCard() {
  const { program, api } = useSession();
  const { recruits: texts } = useTexts().home;
  const { data, error, refetch } = useQuery({
    queryKey: ["recruits", program.affiliate_id],
    queryFn: ({ signal }) => api.recruits.get.query(undefined, { signal }),
  });
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return null;
  const { terms, join_path, recruits } = data;
  if (terms === null && recruits.length === 0) return null;
  return (
    <Card title={texts.title}>
      {terms !== null && <p className="mb-3">{texts.terms(String(terms.percent), terms.months)}</p>}
      {join_path !== null && (
        // The portal's pages are at the service's address, or one below it.
        <SharedLink label={texts.link} url={new URL(`../${join_path}`, document.baseURI).href} />
      )}
      {recruits.length > 0 && (
        <ul className="mt-4 grid gap-2 border-t border-line pt-3 text-table">
          {recruits.map((recruit) => (
            <RecruitLine key={recruit.id} recruit={recruit} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function RecruitLine({ recruit: { name, percent, until, earned } }: { recruit: Recruit }) {
  const { recruits: texts } = useTexts().home;
  const { money, day } = useFormats();
  return (
    <li className="flex flex-wrap justify-between gap-x-4">
      <Untrusted lines={1}>{name === "" ? texts.unnamed : name}</Untrusted>
      <span className="font-medium tabular-nums">
        {earned.length === 0
          ? "—"
          : earned.map(({ currency, amount }) => money(amount, currency)).join(" · ")}
      </span>
      <span className="basis-full text-muted">{texts.until(String(percent), day(until))}</span>
    </li>
  );
}
