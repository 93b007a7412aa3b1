import { Button } from "@findersfee/ui/components/button";
import { Link } from "@findersfee/ui/navigation";
import { useQuery } from "@tanstack/react-query";
import { ChevronRight } from "lucide-react";
import { meQuery, useSignOut } from "../session/session.tsx";
import { NarrowPage } from "../shell/narrow-page.tsx";
import { texts } from "./texts.ts";

export function OrganizationsPage() {
  const { data: me } = useQuery(meQuery);
  const signOut = useSignOut();
  if (me === undefined) return null;
  const { organizations, user } = me;
  return (
    <NarrowPage
      title={organizations.length === 0 ? texts.no_organizations : texts.organizations}
      hint={
        organizations.length === 0
          ? `${texts.no_organizations_hint} ${user.email}`
          : texts.signed_in(user.email)
      }
    >
      {organizations.length > 0 && (
        <ul className="overflow-hidden rounded-card border border-line">
          {organizations.map(({ id, slug, name, role }) => (
            <li key={id} className="border-line not-first:border-t">
              <Link
                to={`/o/${slug}`}
                className="flex min-h-12 items-center gap-3 px-4 py-2 hover:bg-hover focus-visible:-outline-offset-2"
              >
                <span dir="auto" className="line-clamp-2 min-w-0 flex-1 font-medium">
                  {name}
                </span>
                <span className="text-table text-muted">{texts.roles[role]}</span>
                <ChevronRight aria-hidden size={14} className="shrink-0 text-muted" />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div>
        <Button look="quiet" className="-ml-3" onClick={() => void signOut()}>
          {texts.sign_out}
        </Button>
      </div>
    </NarrowPage>
  );
}
