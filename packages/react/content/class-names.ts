import { createContext, useContext } from "react";

/** A part of the banner and of the preference center, for `classNames`. Buttons that accept and refuse are one part. */
export type BannerPart =
  | "dialog"
  | "head"
  | "title"
  | "body"
  | "foot"
  | "button"
  | "quiet"
  | "group"
  | "vendor"
  | "switch"
  | "search"
  | "launcher";

/** Additional classes, by part. */
export type BannerClassNames = Readonly<Partial<Record<BannerPart, string>>>;

export const ClassNamesContext = createContext<BannerClassNames>({});

/** Returns the class of a part (`avow-…`), followed by the classes that the app adds. */
export function useClassNames(): (part: BannerPart, ...more: readonly string[]) => string {
  const own = useContext(ClassNamesContext);
  return (part, ...more) =>
    [`avow-${part}`, ...more, own[part]].filter((one) => one !== undefined && one !== "").join(" ");
}
