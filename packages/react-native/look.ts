import { useColorScheme } from "react-native";

/** Colors of the screens. Buttons that accept and refuse have the same. */
export interface ConsentColors {
  background: string;
  text: string;
  line: string;
  link: string;
  button: string;
  buttonText: string;
}

const light: ConsentColors = {
  background: "#ffffff",
  text: "#1b1b1b",
  line: "#c8c8c8",
  link: "#0b57d0",
  button: "#1b1b1b",
  buttonText: "#ffffff",
};

const dark: ConsentColors = {
  background: "#1e1e1e",
  text: "#f2f2f2",
  line: "#5a5a5a",
  link: "#8ab4f8",
  button: "#f2f2f2",
  buttonText: "#1b1b1b",
};

/** The colors of the device's scheme, with those that the app replaces. */
export function useColors(own: Partial<ConsentColors> | undefined): ConsentColors {
  return { ...(useColorScheme() === "dark" ? dark : light), ...own };
}

export type Direction = "ltr" | "rtl";

/** The style of texts in a direction. */
export function toTextStyle(direction: Direction, color: string) {
  const textAlign = direction === "rtl" ? ("right" as const) : ("left" as const);
  return { color, writingDirection: direction, textAlign };
}
