import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

const FIND = statement<{ stores_cards: boolean }, "organization_id">(`
  select exists (
    select from campaigns
    where organization_id = :organization_id::uuid and signals -> 'actions' ? 'shared_card'
  ) as stores_cards`);

/** Whether hashes of the cards of payments are stored: a campaign of the organization asks for them. */
export async function storesCards(sql: Connection, organizationId: string): Promise<boolean> {
  const [row] = await FIND.run(sql, { organization_id: organizationId });
  return row?.stores_cards ?? false;
}
