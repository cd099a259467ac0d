// The part of React Native that this package uses. Its own package has 240 others, so it is not installed here; the
// test of the example compiles this package against the real types.
declare module "react-native" {
  import type { ComponentType, ReactNode } from "react";

  export type Style = Readonly<Record<string, string | number | undefined>>;
  type Styles = Style | readonly Styles[] | undefined;
  type Role = "button" | "heading" | "link" | "alert" | "group";

  interface Accessible {
    role?: Role;
    "aria-label"?: string;
    "aria-modal"?: boolean;
  }

  interface ViewProps extends Accessible {
    style?: Styles;
    children?: ReactNode;
  }

  export const View: ComponentType<ViewProps>;
  export const ScrollView: ComponentType<ViewProps & { contentContainerStyle?: Styles }>;
  export const Text: ComponentType<ViewProps & { onPress?: () => void; selectable?: boolean }>;
  export const Pressable: ComponentType<ViewProps & { onPress?: () => void }>;
  export const Switch: ComponentType<
    Accessible & { value: boolean; disabled?: boolean; onValueChange?: (isOn: boolean) => void }
  >;
  export const Modal: ComponentType<{
    visible: boolean;
    transparent?: boolean;
    animationType?: "none" | "slide" | "fade";
    onRequestClose?: () => void;
    children?: ReactNode;
  }>;
  export const Linking: { openURL(url: string): Promise<unknown> };
  export const AppState: {
    addEventListener(type: "change", listener: (state: string) => void): { remove(): void };
  };
  export function useColorScheme(): "light" | "dark" | "unspecified" | null | undefined;
}

declare const console: { error(...values: unknown[]): void };
