/** A pattern of ids, as in texts that name them. */
export const UUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/**
 * SQL: the name of the user, key or affiliate that an actor's text names, looked up by primary key; null for other actors, and for users
 * who were deleted. Both arguments are columns or parameters.
 */
export function actorName({ organization_id, actor }: { organization_id: string; actor: string }): string {
  return `case
    when ${actor} ~ '^key ${UUID}$' then (
      select key.name from api_keys key
      where key.organization_id = ${organization_id} and key.id = right(${actor}, 36)::uuid)
    when ${actor} ~ '^user ${UUID}$' then (
      select users.name from users where users.id = right(${actor}, 36)::uuid)
    when ${actor} ~ '^affiliate ${UUID}$' then (
      select display_name(affiliate.first_name, affiliate.last_name, affiliate.email)
      from affiliates affiliate
      where affiliate.organization_id = ${organization_id} and affiliate.id = right(${actor}, 36)::uuid)
  end`;
}
