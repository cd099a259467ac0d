import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wcagContrast } from "culori";
import { toTheme } from "./theme.ts";

const inks = (colors: Record<string, unknown>): (string | undefined)[] => {
  const theme = toTheme({ colors });
  return [theme["light-bg"], theme["light-ink"], theme["head"]];
};

describe("a project's design", () => {
  it("is applied as chosen, in any CSS notation", () => {
    const colors = {
      main: "oklch(0.55 0.12 45)",
      background: "#fdfaf6",
      text: "hsl(20 13% 25%)",
      title: "rebeccapurple",
    };
    const theme = toTheme({
      colors,
      fonts: { title: "Georgia, serif", text: "'Work Sans'" },
      widgetStyle: { borderRadius: 4, padding: "1.5rem", colorScheme: "dark" },
      overlayStyle: { background: "#0008" },
    });
    const { main = "", ...rest } = theme;
    assert.match(main, /^#[0-9a-f]{6}$/);
    assert.deepEqual(rest, {
      scheme: "dark",
      on: "#fff",
      title: "Georgia, serif",
      text: "'Work Sans'",
      r: "4px",
      p: "1.5rem",
      ground: "#00000088",
      "light-bg": "#fdfaf6",
      "light-ink": "#483d37",
      head: "light-dark(#663399, #f3f3f5)",
    });
  });

  it("ignores colours that make text unreadable", () => {
    assert.deepEqual(inks({ background: "black" }), ["#000000", "#fff", undefined]);
    assert.deepEqual(inks({ text: "#eee" }), [undefined, undefined, undefined]);
    assert.deepEqual(inks({ background: "#222", text: "#333" }), ["#222222", "#fff", undefined]);
    assert.deepEqual(inks({ background: "#fff", text: "#777", title: "khaki" }), [
      "#ffffff",
      "#1d1d1f",
      undefined,
    ]);
  });

  it("has readable buttons in any colour, including translucent ones", () => {
    for (const main of [
      "#1f6feb20",
      "transparent",
      "gold",
      "#767676",
      "rgb(0 0 0 / 10%)",
      "lime",
    ]) {
      const { main: button = "", on = "" } = toTheme({ colors: { main } });
      assert.match(button, /^#[0-9a-f]{6}$/, main);
      assert.ok(wcagContrast(button, on) >= 4.5, `${main}: ${on} on ${button}`);
    }
  });

  it("leaves out invalid colours, fonts and lengths, and paddings that are too large", () => {
    const nothing = {
      main: "url(x)",
      background: 7,
      text: "red url(https://x.example)",
      title: "",
    };
    assert.deepEqual(toTheme({ colors: nothing }), {});
    for (const padding of [300, "999px", "4rem", "-1px", "1vw", "calc(1px)"])
      assert.deepEqual(toTheme({ widgetStyle: { padding } }), {}, JSON.stringify(padding));
    assert.deepEqual(
      toTheme({ fonts: { text: "x; color: red" }, widgetStyle: { colorScheme: "x" } }),
      {},
    );
    assert.deepEqual(toTheme({}), {});
  });
});
