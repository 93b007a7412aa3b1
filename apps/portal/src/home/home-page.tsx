import { Card } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { useQuery } from "@tanstack/react-query";
import { Page } from "../frame/page.tsx";
import { useTexts } from "../language/language.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { programQuery } from "../session/program.ts";
import { useSession } from "../session/session.tsx";

/** What an affiliate shares: links and promo codes. */
export function HomePage() {
  const { frame, home } = useTexts();
  const { program, api } = useSession();
  const { data, error, refetch } = useQuery(programQuery(api, program.affiliate_id));
  return (
    <Page title={frame.home} document_title={`${frame.home} · ${program.organization_name}`}>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {data !== undefined && (
        <Card title={home.share}>
          <ul className="grid gap-3">
            {data.links.map(({ url }) => (
              <Shared key={url} label={home.link} text={url} />
            ))}
            {data.promo_codes.map(({ code }) => (
              <Shared key={code} label={home.promo_code} text={code} />
            ))}
          </ul>
          {data.links.length + data.promo_codes.length === 0 && <p className="text-muted">{home.nothing}</p>}
        </Card>
      )}
    </Page>
  );
}

function Shared({ label, text }: { label: string; text: string }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <span className="min-w-0">
        <span className="block text-meta text-muted">{label}</span>
        <span className="wrap-anywhere">{text}</span>
      </span>
      <CopyButton text={text} />
    </li>
  );
}
