import type { Texts } from "../texts.ts";

export const home: Texts["home"] = {
  share: "Zum Teilen",
  link: "Ihr Link",
  promo_code: "Ihr Gutscheincode",
  nothing: "Sie haben noch keinen Link und keinen Gutscheincode. Fragen Sie die Organisation danach.",
};
