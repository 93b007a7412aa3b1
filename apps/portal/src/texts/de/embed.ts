import type { embed as english } from "../en/embed.ts";

export const embed: typeof english = {
  refused: "Ihr Portal konnte nicht geöffnet werden",
  refused_hint:
    "Der Zugang ist abgelaufen oder wurde schon benutzt. Versuchen Sie es noch einmal oder laden Sie die Seite neu.",
  again: "Noch einmal versuchen",
  alone: "Diese Seite funktioniert nur in einer anderen Website",
  alone_hint:
    "Die Organisation zeigt sie in ihrem eigenen Produkt, in dem Sie angemeldet sind. Das Portal selbst hat eine andere Adresse.",
  to_portal: "Zum Portal",
  view: {
    banner: "Ansicht des Portals eines Affiliates",
    viewed: (email) => `Portal von ${email}`,
    by_staff: (organization) => `Nur Lesezugriff, als Mitglied von ${organization}`,
    not_agreed: "Nur Lesezugriff. Die Person sieht bisher nur eine Einladung.",
    close: "Schließen",
    ended: "Diese Ansicht ist beendet",
    ended_hint:
      "Sie dauert 30 Minuten, endet mit Ihrer Abmeldung und gilt nur in einem Tab. Öffnen Sie sie im Dashboard auf der Seite des Affiliates noch einmal.",
    to_dashboard: "Zum Dashboard",
  },
};
