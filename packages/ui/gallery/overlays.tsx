import { Ellipsis } from "lucide-react";
import { useState } from "react";
import { Button } from "../src/components/button.tsx";
import { TextField } from "../src/components/controls.tsx";
import { Tabs } from "../src/components/tabs.tsx";
import { Dialog } from "../src/overlays/dialog.tsx";
import type { MenuItem } from "../src/overlays/items.ts";
import { Menu } from "../src/overlays/menu.tsx";
import { useToast } from "../src/overlays/toast.tsx";
import { LONG } from "./texts.ts";

export function Overlays() {
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const [inner, setInner] = useState(false);
  const items: MenuItem[] = [
    { kind: "heading", id: "heading", label: "This endpoint" },
    { kind: "action", id: "test", label: "Send a test", run: () => toast({ text: "Test sent" }), keys: "t" },
    { kind: "link", id: "log", label: "Log", to: "/lists" },
    { kind: "action", id: "rotate", label: "Rotate the secret", run: () => {}, disabled: true },
    { kind: "line", id: "line" },
    { kind: "action", id: "delete", label: "Delete…", run: () => setOpen(true), danger: true },
  ];
  return (
    <div className="grid justify-items-start gap-4 pb-8">
      <div className="flex flex-wrap gap-2">
        <Menu items={items} align="start">
          Actions
        </Menu>
        <Menu items={items} label="More" look="quiet">
          <Ellipsis aria-hidden size={16} />
        </Menu>
        <Button onClick={() => setOpen(true)}>Open a dialog</Button>
        <Button
          onClick={() =>
            toast({
              text: "12 affiliates approved",
              action: { label: "Undo", run: () => toast({ text: "Undone" }) },
            })
          }
        >
          Show a toast
        </Button>
        <Button onClick={() => toast({ text: `The server refused it: ${LONG}`, tone: "failed" })}>
          Show a failure
        </Button>
      </div>
      <div className="w-full">
        <Tabs
          label="Delivery"
          tabs={[
            {
              id: "sent",
              label: "Sent",
              content: <pre className="font-mono text-meta">{'{"type":"commission.created"}'}</pre>,
            },
            { id: "answer", label: "Response", content: <p>204</p> },
          ]}
        />
      </div>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Start the payout run"
        actions={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button look="solid" onClick={() => toast({ text: "Run started" })}>
              Start the run
            </Button>
          </>
        }
      >
        <div className="grid gap-4">
          <p>31 affiliates receive $4,120.50 and €310.00.</p>
          <TextField label="Type the amount in dollars" hint="4120.50" autoComplete="off" />
          <div className="flex gap-2">
            <Menu items={items} align="start">
              Actions in it
            </Menu>
            <Button onClick={() => setInner(true)}>Open another</Button>
          </div>
        </div>
        <Dialog open={inner} onClose={() => setInner(false)} title="Another dialog">
          <p>{LONG}</p>
        </Dialog>
      </Dialog>
    </div>
  );
}
