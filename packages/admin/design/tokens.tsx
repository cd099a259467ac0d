import type { ComponentChildren } from "preact";

/** The names of the tokens, from the style sheet itself. */
function listTokens(): readonly string[] {
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]);
  const roots = rules.filter(
    (rule): rule is CSSStyleRule => rule instanceof CSSStyleRule && rule.selectorText === ":root",
  );
  return [...new Set(roots.flatMap(({ style }) => [...style]))].filter((name) =>
    name.startsWith("--"),
  );
}

interface Group {
  title: string;
  pattern: RegExp;
  /** Shows a token. */
  sample: (name: string) => ComponentChildren;
}

const groups: readonly Group[] = [
  {
    title: "Type",
    pattern: /^--(?:text|weight|sans|mono)/,
    sample: (name) => <span style={toTypeStyle(name)}>Consent you can prove</span>,
  },
  {
    title: "Space",
    pattern: /^--s\d$/,
    sample: (name) => <span class="design-bar" style={{ width: `var(${name})` }} />,
  },
  {
    title: "Corners and shadows",
    pattern: /^--(?:radius|shadow)/,
    sample: (name) => (
      <span
        class="design-box"
        style={
          name.startsWith("--radius")
            ? { borderRadius: `var(${name})` }
            : { boxShadow: `var(${name})` }
        }
      />
    ),
  },
  {
    title: "Motion",
    pattern: /^--(?:motion|turn|breathe|calm|late)$/,
    sample: (name) => <span class="design-motion" style={{ animationDuration: `var(${name})` }} />,
  },
  {
    title: "Sizes",
    pattern: /^--side$/,
    sample: (name) => <span class="design-bar" style={{ width: `var(${name})` }} />,
  },
];

function toTypeStyle(name: string) {
  if (name.startsWith("--weight")) return { fontWeight: `var(${name})` };
  if (name.startsWith("--text")) return { fontSize: `var(${name})` };
  return { fontFamily: `var(${name})` };
}

/** All tokens with samples; colors in both schemes. */
export function Tokens() {
  const names = listTokens();
  const colors = names.filter((name) => !groups.some(({ pattern }) => pattern.test(name)));
  return (
    <>
      <section class="card">
        <h2>Colors</h2>
        <div class="design-schemes">
          {(["light", "dark"] as const).map((scheme) => (
            <ul key={scheme} class={`design-scheme ${scheme} design-colors`}>
              {colors.map((name) => (
                <li key={name}>
                  <span class="design-box" style={{ background: `var(${name})` }} />
                  <code>{name.slice(2)}</code>
                </li>
              ))}
            </ul>
          ))}
        </div>
      </section>
      {groups.map(({ title, pattern, sample }) => (
        <section key={title} class="card">
          <h2>{title}</h2>
          <ul class="design-tokens">
            {names
              .filter((name) => pattern.test(name))
              .map((name) => (
                <li key={name}>
                  <code>{name.slice(2)}</code>
                  <Value name={name} />
                  {sample(name)}
                </li>
              ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Value({ name }: { name: string }) {
  const value = getComputedStyle(document.documentElement).getPropertyValue(name);
  return <span class="soft">{value.length > 40 ? `${value.slice(0, 40)}…` : value}</span>;
}
