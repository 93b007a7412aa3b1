import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import { DownloadButtons } from "../../identity/settings/download-buttons.tsx";
import { useTexts } from "../../language/language.tsx";

const EraseDialog = lazyPart(() => import("../../identity/settings/erase-dialog.tsx"), "EraseDialog");

/** The data of an affiliate who has no settings: as files, and its end. */
export function OwnData() {
  const { settings } = useTexts();
  const [erasing, setErasing] = useState(false);
  return (
    <>
      <p className="text-table text-muted">{settings.data_hint}</p>
      <DownloadButtons />
      <div>
        <Button look="danger" onClick={() => setErasing(true)}>
          {settings.erase}
        </Button>
      </div>
      <Suspense>{erasing && <EraseDialog onClose={() => setErasing(false)} />}</Suspense>
    </>
  );
}
