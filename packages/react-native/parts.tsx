import { type MessageNode, isLinkable, parseMessage } from "@avow/widget/headless";
import type { ReactNode } from "react";
import { Linking, Pressable, Text, View } from "react-native";
import { type ConsentColors, type Direction, toTextStyle } from "./look.ts";

/** The looks of all parts of a screen. */
export interface PartProps {
  colors: ConsentColors;
  direction: Direction;
}

/** A button. It grows with the font size of the device. */
export function Button({
  text,
  colors,
  isQuiet = false,
  onPress,
}: {
  text: string;
  colors: ConsentColors;
  isQuiet?: boolean;
  onPress: () => void;
}): ReactNode {
  const filled = { backgroundColor: colors.button, borderColor: colors.button };
  const quiet = { backgroundColor: colors.background, borderColor: colors.line };
  const shape = { borderWidth: 1, borderRadius: 8, paddingVertical: 12, paddingHorizontal: 16 };
  return (
    <Pressable
      role="button"
      aria-label={text}
      onPress={onPress}
      style={[shape, { minHeight: 48, justifyContent: "center" }, isQuiet ? quiet : filled]}
    >
      <Text
        style={{
          color: isQuiet ? colors.text : colors.buttonText,
          fontSize: 16,
          fontWeight: "600",
          textAlign: "center",
        }}
      >
        {text}
      </Text>
    </Pressable>
  );
}

export function Title({
  text,
  colors,
  direction,
  size = 20,
}: PartProps & { text: string | undefined; size?: number }): ReactNode {
  if (!text) return null;
  return (
    <Text
      role="heading"
      style={[toTextStyle(direction, colors.text), { fontSize: size, fontWeight: "700" }]}
    >
      {text}
    </Text>
  );
}

export function Paragraph({
  children,
  colors,
  direction,
}: PartProps & { children: ReactNode }): ReactNode {
  return <Text style={[toTextStyle(direction, colors.text), body]}>{children}</Text>;
}

/** A fact of GDPR, article 13, if there is one. */
export function Fact({
  name,
  text,
  ...part
}: PartProps & { name: string; text: string | undefined }): ReactNode {
  if (!text) return null;
  return (
    <View>
      <Paragraph {...part}>
        <Text style={{ fontWeight: "700" }}>{name}</Text>
        {`\n${text}`}
      </Paragraph>
    </View>
  );
}

/** A link to a page outside of the app; a text unless its address is HTTP or mail. */
export function Link({
  href,
  colors,
  children,
}: {
  href: string;
  colors: ConsentColors;
  children: ReactNode;
}): ReactNode {
  // A path has no site in an app.
  if (!isLinkable(href) || !/^\w+:/.test(href)) return <Text>{children}</Text>;
  return (
    <Text
      role="link"
      style={{ color: colors.link, textDecorationLine: "underline" }}
      onPress={() => void Linking.openURL(href).catch(() => undefined)}
    >
      {children}
    </Text>
  );
}

/** A published message as nested texts. */
export function Message({ html, ...part }: PartProps & { html: string | undefined }): ReactNode {
  if (!html) return null;
  return <Paragraph {...part}>{toTexts(parseMessage(html), part.colors)}</Paragraph>;
}

const body = { fontSize: 16, lineHeight: 23 };
const isBlock = /^(p|div|blockquote|h[2-6]|ul|ol|li)$/;
const styles: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  strong: { fontWeight: "700" },
  b: { fontWeight: "700" },
  em: { fontStyle: "italic" },
  i: { fontStyle: "italic" },
  u: { textDecorationLine: "underline" },
  s: { textDecorationLine: "line-through" },
  small: { fontSize: 13 },
  code: { fontFamily: "monospace" },
};

/** Blocks begin on a line of their own, since a text has no blocks inside. */
function toTexts(nodes: readonly MessageNode[], colors: ConsentColors): ReactNode[] {
  return nodes.map((node, at) => {
    if (typeof node === "string") return node;
    const { name, href, children } = node;
    if (name === "br") return "\n";
    const inside = toTexts(children, colors);
    const gap = isBlock.test(name) && at > 0 ? (name === "li" ? "\n" : "\n\n") : "";
    if (name === "a")
      return (
        <Link key={at} href={href} colors={colors}>
          {inside}
        </Link>
      );
    return (
      <Text key={at} style={name.startsWith("h") ? styles["b"] : styles[name]}>
        {gap}
        {name === "li" ? "• " : ""}
        {inside}
      </Text>
    );
  });
}
