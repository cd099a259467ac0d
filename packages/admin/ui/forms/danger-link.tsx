interface DangerLinkProps {
  text: string;
  /** The subject of the action, for screen readers. */
  of?: string | undefined;
  onClick: () => void;
}

/** A button for a destructive action, styled as a link. */
export function DangerLink({ text, of, onClick }: DangerLinkProps) {
  return (
    <button type="button" class="link danger" onClick={onClick}>
      {text}
      {of !== undefined && <span class="hidden"> {of}</span>}
    </button>
  );
}
