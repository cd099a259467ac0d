interface NotesProps {
  /** Of the field. */
  id: string;
  hint?: string | undefined;
  fault?: string | undefined;
  /** The language of the fault, where it is another than the page's. */
  lang?: string;
}

/** What helps to fill a field in, and what is wrong with it, below it. */
export function Notes({ id, hint, fault, lang }: NotesProps) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p class="fault" id={`${id}-fault`} lang={lang}>
          {fault}
        </p>
      )}
    </>
  );
}

/** What names these notes, and `more` of them, to who does not see that they stand below the field. */
export function describe(
  { id, hint, fault }: NotesProps,
  more?: string,
): { "aria-describedby"?: string } {
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`, more];
  const described = ids.filter(Boolean).join(" ");
  return described === "" ? {} : { "aria-describedby": described };
}
