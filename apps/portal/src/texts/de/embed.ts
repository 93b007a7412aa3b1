import type { embed as english } from "../en/embed.ts";

export const embed: typeof english = {
  refused: "Ihr Portal konnte nicht geöffnet werden",
  refused_hint:
    "Der Zugang ist abgelaufen oder wurde schon benutzt. Versuchen Sie es noch einmal oder laden Sie die Seite neu.",
  again: "Noch einmal versuchen",
  alone: "Diese Seite gehört in eine andere Website",
  alone_hint:
    "Die Organisation zeigt sie in ihrem eigenen Produkt, in dem Sie angemeldet sind. Das Portal selbst hat eine andere Adresse.",
  to_portal: "Zum Portal",
};
