import type { ReactNode } from "react";
import { useConsent } from "./hooks.tsx";

/** Values without quotes and brackets of HTML, so that a server and a browser write the same text. */
const pattern = /^[\p{L}\p{N}\s#%(),._-]+$/u;

/** The project's published design as custom properties of the components. */
export function ThemeStyle({ nonce }: { nonce: string | undefined }): ReactNode {
  const { theme } = useConsent().state.appearance;
  const declarations = Object.entries(theme)
    .map(([name, value]) => [name, value.replaceAll(/["']/g, "")] as const)
    .filter(([, value]) => pattern.test(value))
    .map(([name, value]) => `--avow-${name}:${value}`);
  if (!declarations[0]) return null;
  // Browsers hide the nonce of an element.
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {`.avow{${declarations.join(";")}}`}
    </style>
  );
}
