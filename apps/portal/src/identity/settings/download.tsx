import { Section } from "@findersfee/ui/components/section";
import { useTexts } from "../../language/language.tsx";
import { DownloadButtons } from "./download-buttons.tsx";

/** Downloads the stored data about the affiliate as files. */
export function Download() {
  const { settings } = useTexts();
  return (
    <Section title={settings.data} hint={settings.data_hint}>
      <DownloadButtons />
    </Section>
  );
}
