import { Button } from "@findersfee/ui/components/button";
import { CopyButton } from "@findersfee/ui/components/copy";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { QrCode } from "lucide-react";
import { Suspense, useId, useState } from "react";
import { useTexts } from "../../language/language.tsx";

const Qr = lazyPart(() => import("./qr.tsx"), "Qr");

/** A link with its buttons; its QR code opens below it. */
export function SharedLink({ label, url }: { label: string; url: string }) {
  const { home } = useTexts();
  const [with_code, setWithCode] = useState(false);
  const id = useId();
  return (
    <>
      <p className="text-table text-muted">{label}</p>
      <p dir="ltr" className="font-medium wrap-anywhere">
        {url.replace(/^https?:\/\//, "")}
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <CopyButton text={url} label={home.copy_link} />
        <Button aria-expanded={with_code} aria-controls={id} onClick={() => setWithCode(!with_code)}>
          <QrCode aria-hidden size={16} />
          {home.qr}
        </Button>
      </div>
      <div id={id}>
        <Suspense>{with_code && <Qr url={url} />}</Suspense>
      </div>
    </>
  );
}
