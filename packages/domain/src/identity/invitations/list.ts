import type { Invitation } from "@findersfee/contract/identity/invitations";
import { listInvitations as listRows } from "@findersfee/database/identity/invitations";
import type { Context } from "../../context.ts";
import { MAX_MEMBERS } from "../members/limits.ts";
import { viewInvitation } from "./view.ts";

/** Invitations that were neither accepted nor revoked, newest first. Expired ones are among them. */
export async function listInvitations({ database, organization }: Context): Promise<Invitation[]> {
  return (await listRows(database, organization.id, MAX_MEMBERS)).map(viewInvitation);
}
