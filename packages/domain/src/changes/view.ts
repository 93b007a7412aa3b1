import { type Change, changeActions, changeResources } from "@findersfee/contract/changes";
import type { ChangeRow } from "@findersfee/database/changes";
import { z } from "zod";

const resource = z.enum(changeResources);
const action = z.enum(changeActions);

export function viewChange(row: ChangeRow): Change {
  return {
    ...row,
    resource: resource.parse(row.resource),
    action: action.parse(row.action),
    created_at: row.created_at.toISOString(),
  };
}
