import { credentials } from "./credentials.ts";
import { me } from "./me.ts";
import { passkeys } from "./passkeys.ts";
import { second_factor } from "./second-factor.ts";
import { security_events } from "./security-events.ts";
import { sessions } from "./sessions.ts";
import { accountRouter } from "./trpc.ts";

/** The operations of people that concern no organization, at `/account/trpc`. */
export const account_router = accountRouter({
  me,
  credentials,
  sessions,
  passkeys,
  second_factor,
  security_events,
});

export type AccountRouter = typeof account_router;
