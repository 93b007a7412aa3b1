export const export_texts = {
  export: "Export",
  started: "The export started. Its file appears in the tray.",
};
