// Shows a draft with the real widget. Its requests are answered here, so that nothing leaves the frame.
import type { JsonObject } from "@avow/contract/json";
import type { Content, PreviewInput, PreviewMessage } from "./messages.ts";

const app = window.parent;
const { origin } = new URL(location.href);
const post = (what: PreviewMessage): void => app.postMessage(what, origin);

const given = new Promise<PreviewInput>((resolve) => {
  addEventListener("message", ({ source, origin: from, data }: MessageEvent<PreviewInput>) => {
    if (source === app && from === origin) resolve(data);
  });
});

window.fetch = async (input, { body } = {}) => {
  const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
  if (pathname.endsWith("/preview.json")) return Response.json(toSite(await given));
  if (pathname.endsWith("/client/region"))
    return Response.json({ region: (await given).region ?? null });
  // A request for a display ticket: none is issued.
  if (typeof body !== "string") return Response.json({});
  const answers = JSON.parse(body) as unknown[];
  return Response.json(answers.map(() => ({ consentId: "preview" })));
};

/*
 * The widget takes the focus when it asks a visitor. In the preview this would interrupt typing in the app, so that
 * the focus moves only if it is already in this frame, by a click or by Tab.
 */
// oxlint-disable-next-line typescript/unbound-method -- it is called of its element
const { focus } = HTMLElement.prototype;
HTMLElement.prototype.focus = function (options): void {
  if (document.hasFocus()) focus.call(this, options);
};
// oxlint-disable-next-line typescript/unbound-method -- it is called of its element
const { showModal } = HTMLDialogElement.prototype;
HTMLDialogElement.prototype.showModal = function (): void {
  // The browser focuses a dialog when it opens, unless it is inert.
  this.inert = !document.hasFocus();
  showModal.call(this);
  this.inert = false;
};

/** The publication with only the previewed configuration. */
function toSite({ kind, identifier, content, scheme }: PreviewInput): Content {
  const one = (content[kind] ?? [])
    .filter((configuration) => configuration.identifier === identifier)
    // The preview ignores the configuration's pages.
    .map(({ settings, ...rest }) => ({ ...rest, settings: { ...settings, pages: [] } }));
  const theme = { scheme, ...content.widget?.theme };
  const widget = { ...content.widget, theme };
  const none = { cookies: [], processings: [], contracts: [] };
  return withoutForeignPictures({ ...content, ...none, [kind]: one, widget });
}

/** Removes pictures of other hosts, so that these do not see the author's requests. */
function withoutForeignPictures<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (name, inner: unknown) => {
    if (name !== "image" && name !== "picture") return inner;
    return URL.parse(String(inner), origin)?.origin === origin ? inner : undefined;
  }) as T;
}

function titleOf(step: JsonObject = {}): string {
  return String(step["title"] || step["name"]);
}

function isShown(): Promise<void> {
  return new Promise((resolve) =>
    document.addEventListener("avow:shown", () => resolve(), { once: true }),
  );
}

/** Opens the preference center as a visitor does, and scrolls to the category with this title. */
async function goTo(title: string): Promise<void> {
  const root = document.querySelector("avow-widget")?.shadowRoot;
  const choose = root?.querySelector<HTMLElement>(".choose");
  if (!root || !choose) return;
  const opened = new Promise<void>((resolve) => {
    new MutationObserver((_, observer) => {
      if (!root.querySelector(".group")) return;
      observer.disconnect();
      resolve();
    }).observe(root, { childList: true, subtree: true });
  });
  choose.click();
  await opened;
  const headings = [...root.querySelectorAll("h3")];
  headings.find(({ textContent }) => textContent === title)?.scrollIntoView();
}

async function show(): Promise<void> {
  const shown = isShown();
  const { kind, identifier, scheme, step, content, hasBackdrop = false } = await given;
  const page = document.documentElement;
  page.dataset["scheme"] = scheme;
  page.dataset["kind"] = kind === "cookies" ? "cookies" : "box";
  page.dataset["clear"] = String(hasBackdrop);
  const own = content[kind]?.find((one) => one.identifier === identifier);
  page.lang = own?.language ?? "en";
  if (kind !== "cookies") {
    const box = document.querySelector<HTMLElement>("#box");
    const prefix = kind === "processings" ? "processing" : "contract";
    if (box) box.dataset["avow"] = `${prefix}:${identifier}`;
  } else if (own?.["steps"]) {
    await shown;
    if (step === "choices") {
      const { avow } = window as { avow?: { open: () => Promise<void> } };
      await avow?.open();
    } else if (step > 0) await goTo(titleOf((own["steps"] as JsonObject[])[step]));
  }
  post("avow-preview-shown");
}

addEventListener("DOMContentLoaded", () => {
  post("avow-preview-ready");
  void show();
});
