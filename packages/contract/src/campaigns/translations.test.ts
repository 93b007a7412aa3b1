import { describe, expect, it } from "vitest";
import { inLanguage, questionIn, type Translation } from "./translations.ts";

const GERMAN: Translation = {
  name: "Partnerprogramm",
  welcome_message: null,
  details_text: null,
  dashboard_text: null,
  custom_fields: [{ id: "size", label: null, options: ["Klein", null] }],
};

describe("a campaign in a language", () => {
  const campaign = {
    name: "Partner program",
    welcome_message: "Welcome!",
    is_default: true,
    translations: { de: GERMAN },
  };

  it("has the texts that are translated, and its own otherwise", () => {
    expect(inLanguage({ ...campaign, custom_fields: [] }, "de")).toEqual({
      ...campaign,
      name: "Partnerprogramm",
      dashboard_text: undefined,
      custom_fields: [],
    });
  });

  it("is as it is in a language without translations", () => {
    expect(inLanguage(campaign, "en")).toEqual(campaign);
  });
});

describe("a question in a language", () => {
  const size = { id: "size", label: "Readers", options: ["Few", "Many"], required: true };

  it("keeps its options, and has words for them", () => {
    expect(questionIn(size, GERMAN)).toEqual({ ...size, option_labels: ["Klein", "Many"] });
    expect(questionIn({ ...size, id: "other" }, GERMAN)).toMatchObject({ option_labels: ["Few", "Many"] });
    expect(questionIn(size, undefined)).toEqual({ ...size, option_labels: ["Few", "Many"] });
  });
});
