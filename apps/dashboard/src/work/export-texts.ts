export const export_texts = {
  export: "Export",
  started: "Export started. The file appears at the bottom right.",
};
