/** Signals that need the networks of clicks. */
const NETWORK_SIGNALS = "array['shared_network', 'many_clicks']";

/** SQL: whether the networks of clicks on links of a campaign are stored. */
export const recordsNetworks = (campaign: string) =>
  `coalesce(${campaign}.signals -> 'actions' ?| ${NETWORK_SIGNALS}, false)`;

/** SQL: whether the networks of a campaign's affiliates are stored. */
export const recordsOwnNetworks = (campaign: string) =>
  `coalesce(${campaign}.signals -> 'actions' ? 'shared_network', false)`;
