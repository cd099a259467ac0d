import { encode } from "uqr";

/** The quiet zone, in modules (ISO/IEC 18004, 9.1). */
const BORDER = 4;

/** A QR code drawn as one path, black on white in any color scheme, as scanners need it. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", border: BORDER });
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path d={data.map(toRow).join("")} />
    </svg>
  );
}

/** The path of a row's dark modules. */
function toRow(row: readonly boolean[], y: number): string {
  return row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")).join("");
}
