import type { Me, UpdatePreferences, UserPreferences } from "@findersfee/contract/identity/accounts";
import { listUserOrganizations } from "@findersfee/database/identity/members";
import { findUser, findUserPreferences, upsertUserPreferences } from "@findersfee/database/identity/users";
import type { Database } from "@findersfee/database/postgres/connect";
import { DomainError } from "../../errors.ts";
import { hostUrl } from "../../host-url.ts";
import type { UserSession } from "./authenticate.ts";

/** The preferences of a person who has changed none. */
const DEFAULTS: UserPreferences = {
  theme: "system",
  shortcuts: true,
  dates: "browser",
  list_columns: {},
};

/**
 * The person who is signed in, with preferences and organizations: those that the session opens, and those that require single sign-on.
 *
 * @throws DomainError `session_expired` if the user was deleted within the last second
 */
export async function getMe(
  database: Database,
  { user_id, closed }: UserSession,
  { dashboard_url }: { dashboard_url: string },
): Promise<Me> {
  const [user, preferences, organizations] = await Promise.all([
    findUser(database, user_id),
    findUserPreferences(database, user_id),
    listUserOrganizations(database, user_id),
  ]);
  if (user === null) throw new DomainError("session_expired");
  return {
    user,
    preferences: preferences ?? DEFAULTS,
    organizations: organizations
      // A provider learns nothing about the person's other organizations.
      .filter(({ id }) => closed.get(id) !== "other_provider")
      .map(({ portal_host, ...organization }) => ({
        ...organization,
        portal_url: `${hostUrl(dashboard_url, portal_host)}/portal`,
        join_url:
          portal_host === null
            ? `${dashboard_url}/portal/${organization.slug}/join`
            : `${hostUrl(dashboard_url, portal_host)}/join`,
        needs_single_sign_on: closed.has(organization.id),
      })),
  };
}

/** Changes the given preferences; the others keep their values. */
export async function updatePreferences(
  database: Database,
  user_id: string,
  { theme, shortcuts, dates, list_columns }: UpdatePreferences,
): Promise<UserPreferences> {
  return await upsertUserPreferences(database, user_id, {
    theme: theme ?? null,
    shortcuts: shortcuts ?? null,
    dates: dates ?? null,
    list_columns: list_columns ?? null,
  });
}
