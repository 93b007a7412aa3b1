/**
 * SQL: whether the endpoint `endpoint` subscribes to the event `event`, by type and campaign. `body` is an expression
 * for the event's body; it is only evaluated for endpoints with a campaign filter.
 *
 * Events about affiliates contain the campaign. The others contain the affiliate, which never changes its campaign.
 */
export function subscribes(body: string): string {
  return `(endpoint.event_types is null or event.type = any (endpoint.event_types))
    and (endpoint.campaign_ids is null or coalesce(
      (${body}::json #>> '{data,campaign,id}')::uuid,
      (select affiliate.campaign_id from affiliates affiliate
        where affiliate.organization_id = endpoint.organization_id
          and affiliate.id = (${body}::json #>> '{data,affiliate,id}')::uuid)
      ) = any (endpoint.campaign_ids))`;
}
