import type { recruits as english } from "../en/recruits.ts";

export const recruits: typeof english = {
  title: "Partner werben",
  terms: (percent, months) =>
    `Sie erhalten ${percent.replace(".", ",")} % der Provisionen von Partnern, die über Ihren Link beitreten, für Zahlungen ${months === 1 ? "ihres ersten Monats" : `ihrer ersten ${months} Monate`}.`,
  link: "Ihr Link für neue Partner",
  unnamed: "Partner",
  until: (percent, day) => `${percent.replace(".", ",")} % für Zahlungen bis ${day}`,
};
