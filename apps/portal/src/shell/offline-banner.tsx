import { Notice } from "@findersfee/ui/components/notice";
import { useOnline } from "@findersfee/ui/requests/use-online";
import { useTexts } from "../language/language.tsx";

export function OfflineBanner() {
  const is_online = useOnline();
  const { frame } = useTexts();
  return (
    <div role="status">
      {!is_online && (
        <div className="mx-auto max-w-240 px-4 pt-4 tablet:px-6">
          <Notice tone="warn" title={frame.offline} />
        </div>
      )}
    </div>
  );
}
