import { Section } from "@findersfee/ui/components/section";
import { Link } from "@findersfee/ui/navigation";
import type { Me } from "../../requests/account.ts";
import { texts } from "./texts.ts";

/** Links to the page of each organization on which the person chooses their emails. */
export function Notifications({ me: { organizations } }: { me: Me }) {
  const chosen = organizations.filter(({ role, test_of }) => role !== "viewer" && test_of === null);
  if (chosen.length === 0) return null;
  return (
    <Section title={texts.notifications} hint={texts.notifications_hint}>
      <ul className="grid gap-2">
        {chosen.map(({ id, slug, name }) => (
          <li key={id}>
            <Link to={`/o/${slug}/settings/notifications`} className="text-accent underline">
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
