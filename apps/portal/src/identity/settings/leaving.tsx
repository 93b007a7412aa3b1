import { Button } from "@findersfee/ui/components/button";
import { Section } from "@findersfee/ui/components/section";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";

const LeaveDialog = lazyPart(() => import("./leave-dialog.tsx"), "LeaveDialog");
const EraseDialog = lazyPart(() => import("./erase-dialog.tsx"), "EraseDialog");

/** The ways out of a program. */
export function Leaving() {
  const { settings } = useTexts();
  const { program } = useSession();
  const [open, setOpen] = useState<"leave" | "erase" | null>(null);
  const close = () => setOpen(null);
  return (
    <Section title={settings.leaving} hint={settings.leaving_hint(program.organization_name)}>
      <div className="flex flex-wrap gap-3">
        <Button look="danger" onClick={() => setOpen("leave")}>
          {settings.leave}
        </Button>
        <Button look="danger" onClick={() => setOpen("erase")}>
          {settings.erase}
        </Button>
      </div>
      <Suspense>
        {open === "leave" && <LeaveDialog onClose={close} />}
        {open === "erase" && <EraseDialog onClose={close} />}
      </Suspense>
    </Section>
  );
}
