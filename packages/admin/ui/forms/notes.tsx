interface NotesProps {
  /** The id of the field. */
  id: string;
  hint?: string | undefined;
  fault?: string | undefined;
  /** The language of the error, if it differs from the page's. */
  lang?: string;
}

/** The hint and the error below a field. */
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

/** `aria-describedby` for these notes and `more`. */
export function describe(
  { id, hint, fault }: NotesProps,
  more?: string,
): { "aria-describedby"?: string } {
  const ids = [hint !== undefined && `${id}-hint`, fault !== undefined && `${id}-fault`, more];
  const described = ids.filter(Boolean).join(" ");
  return described === "" ? {} : { "aria-describedby": described };
}
