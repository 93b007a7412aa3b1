export const texts = {
  again_in: (seconds: number) => `Available again in ${seconds} s.`,
};
