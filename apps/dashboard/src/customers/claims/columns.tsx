import { Time, Untrusted } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { nameOf } from "../../affiliates/name.ts";
import { Day } from "./day.tsx";
import type { ClaimRow } from "./queries.ts";
import { ClaimStatus } from "./state.tsx";
import { texts } from "./texts.ts";

export const claimColumns: readonly Column<ClaimRow>[] = [
  {
    id: "reported",
    header: texts.reported,
    cell: ({ created_at }) => <Time at={created_at} />,
    width: "w-32",
  },
  {
    id: "affiliate",
    header: texts.affiliate,
    cell: ({ affiliate }) => <Untrusted lines={1}>{nameOf(affiliate)}</Untrusted>,
    narrow: "above",
    strong: true,
    width: "w-[24%]",
  },
  {
    id: "customer",
    header: texts.customer,
    cell: ({ email }) =>
      email === "" ? (
        <span className="text-muted">{texts.erased}</span>
      ) : (
        <Untrusted lines={1}>{email}</Untrusted>
      ),
    narrow: "below",
  },
  {
    id: "day",
    header: texts.paid_on,
    cell: ({ paid_on }) => <Day day={paid_on} />,
    narrow: "above-end",
    width: "w-32",
  },
  {
    id: "known",
    header: texts.payment,
    cell: ({ payment_known }) => (payment_known ? texts.known : texts.unknown),
    roomy: true,
    width: "w-48",
  },
  {
    id: "state",
    header: texts.state,
    cell: ({ state }) => <ClaimStatus state={state} />,
    narrow: "below-end",
    width: "w-32",
  },
];
