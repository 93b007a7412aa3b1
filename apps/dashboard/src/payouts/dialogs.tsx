import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import type { HoldDialogProps } from "./hold-dialog.tsx";
import type { MoveDialogProps } from "./move-dialog.tsx";
import type { StartDialogProps } from "./start-dialog.tsx";

/* Dialogs load when they open. */

const Start = lazyPart(() => import("./start-dialog.tsx"), "StartDialog");
const Move = lazyPart(() => import("./move-dialog.tsx"), "MoveDialog");

const Hold = lazyPart(() => import("./hold-dialog.tsx"), "HoldDialog");

export function HoldDialog(props: HoldDialogProps) {
  return <Suspense>{props.open && <Hold {...props} />}</Suspense>;
}

export function StartDialog(props: StartDialogProps) {
  return <Suspense>{props.open && <Start {...props} />}</Suspense>;
}

export function MoveDialog(props: MoveDialogProps) {
  return <Suspense>{props.open && <Move {...props} />}</Suspense>;
}
