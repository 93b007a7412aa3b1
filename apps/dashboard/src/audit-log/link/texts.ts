export const texts = { history: "History" };
