interface DangerLinkProps {
  text: string;
  /** What it takes away, for who does not see beside what it stands. */
  of?: string | undefined;
  onClick: () => void;
}

/** A button that takes something away, as unobtrusive as a link. */
export function DangerLink({ text, of, onClick }: DangerLinkProps) {
  return (
    <button type="button" class="link danger" onClick={onClick}>
      {text}
      {of !== undefined && <span class="hidden"> {of}</span>}
    </button>
  );
}
