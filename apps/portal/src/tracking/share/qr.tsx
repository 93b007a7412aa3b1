import { buttonClass } from "@findersfee/ui/components/button";
import { QrCode, qrCodeSvg } from "@findersfee/ui/components/qr-code";
import { Download } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTexts } from "../../language/language.tsx";

/** The QR code of a link, and the same as a file. */
export function Qr({ url }: { url: string }) {
  const { home } = useTexts();
  const file = useMemo(
    () => URL.createObjectURL(new Blob([qrCodeSvg(url)], { type: "image/svg+xml" })),
    [url],
  );
  useEffect(() => () => URL.revokeObjectURL(file), [file]);
  return (
    <div className="mt-3 grid justify-items-center gap-3">
      <QrCode text={url} label={home.qr_of(url.slice(0, 200))} />
      <a href={file} download="qr-code.svg" className={buttonClass("plain")}>
        <Download aria-hidden size={16} />
        {home.download_qr}
      </a>
    </div>
  );
}
