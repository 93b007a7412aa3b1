export const texts = {
  cancel: "Cancel",
  save: "Save",
  saved: "Saved",
};
