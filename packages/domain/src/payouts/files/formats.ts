import type { PayoutFileFormat } from "@findersfee/contract/payouts/files";
import { csv } from "./csv.ts";
import type { PayoutFormat } from "./format.ts";
import { paypal } from "./paypal.ts";
import { wise } from "./wise.ts";

export const payout_formats: Record<PayoutFileFormat, PayoutFormat> = { csv, paypal, wise };
