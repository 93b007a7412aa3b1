/** The first letter of a name, for narrow bars. Readers hear the name beside it. */
export function Avatar({ name, round = false }: { name: string; round?: boolean }) {
  const [letter = "?"] = name.trim();
  return (
    <span
      data-letter={letter}
      className={`grid size-6 shrink-0 place-items-center bg-solid text-meta font-semibold text-on-solid uppercase before:content-[attr(data-letter)] ${round ? "rounded-full" : "rounded-control"}`}
    />
  );
}
