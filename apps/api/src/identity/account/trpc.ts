import { initTRPC } from "@trpc/server";
import type { AccountContext } from "../../context.ts";
import { formatError } from "../../errors.ts";

const t = initTRPC.context<AccountContext>().create({ errorFormatter: formatError });

export const accountRouter = t.router;

/** The operations of a person who is signed in. */
export const userProcedure = t.procedure;
