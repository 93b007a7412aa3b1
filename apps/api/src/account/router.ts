import { me } from "./me.ts";
import { accountRouter } from "./trpc.ts";

/** The operations of people that concern no organization, at `/account/trpc`. */
export const account_router = accountRouter({ me });

export type AccountRouter = typeof account_router;
