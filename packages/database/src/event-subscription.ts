/**
 * SQL: whether the endpoint `endpoint` gets the event `event`, by its type and campaign. `body` is an expression
 * for the event's body; it is only evaluated for endpoints that filter by campaign.
 *
 * Events about affiliates name the campaign. The others name the affiliate, who belongs to one campaign for good.
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
