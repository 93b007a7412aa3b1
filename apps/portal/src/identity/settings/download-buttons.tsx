import type { ErrorObject } from "@findersfee/contract/errors";
import { Button } from "@findersfee/ui/components/button";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { RequestFailed } from "@findersfee/ui/requests/failure";
import { readJson, send } from "@findersfee/ui/requests/fetch-json";
import { Download } from "lucide-react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { useAction } from "./use-action.ts";

const FILES = ["data.json", "commissions.csv"] as const;

type File = (typeof FILES)[number];

/** A button for each file. */
export function DownloadButtons() {
  const { settings } = useTexts();
  const { program } = useSession();
  const { run, busy, failure } = useAction(async (file: File) => {
    const path = `${APPLICATION_PATH}/files/${program.affiliate_id}/${file}`;
    save(await fetchFile(path), `${settings.file_names[file]}-${new Date().toISOString().slice(0, 10)}`);
  });
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap gap-3">
        {FILES.map((file) => (
          <Button key={file} busy={busy} onClick={() => run(file)}>
            <Download aria-hidden size={16} />
            {settings.files[file]}
          </Button>
        ))}
      </div>
      <FormFailure failure={failure} />
    </div>
  );
}

/** Not a plain link, which would save the text of an error as the file. */
async function fetchFile(path: string): Promise<Blob> {
  const response = await send(path);
  if (response.ok) return await response.blob();
  const { error } = await readJson<{ error: ErrorObject }>(response);
  throw new RequestFailed(response, error ?? null);
}

function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.${content.type.includes("json") ? "json" : "csv"}`;
  link.click();
  URL.revokeObjectURL(url);
}
