import type { Answering } from "./answering.ts";
import { type Center, openBanner } from "./banner.ts";
import { element, openHost, toSheet } from "./dom.ts";
import { emit, emitError } from "../page/events.ts";
import ground from "./ground.css";
import { isOptedOut } from "../page/consent-mode.ts";
import css from "./style.css";
import { usePerson } from "./person.ts";
import { applyTheme, toPlace } from "../page/theme.ts";
import type { Ticket } from "../core/sending/service.ts";
import type { Parts } from "./parts.ts";
import { listChoosing, listSteps } from "../core/steps.ts";
import { sayIn } from "../core/words.ts";

/** The visible parts of a cookie configuration. */
export interface Surface {
  /** Asks for missing answers; if reopened, shows all choices with the service's newest answers. */
  ask: (isReopened: boolean) => Promise<void>;
  /** Closes the banner, and shows only the launcher. */
  rest: () => void;
}

/** Does not show anything yet. */
export function openSurface(parts: Parts, answer: Answering["answer"]): Surface {
  const { site, cookies, service, choices, tcf, regional } = parts;
  const { host, root } = openHost(toSheet(ground + css), ...(tcf ? [tcf.sheet] : []));
  const { widgetStyle, overlayStyle } = site.client ?? {};
  const place = toPlace(widgetStyle);
  const { identifier } = cookies;
  const isEmpty = !cookies.steps?.[0];
  let closeBanner: (() => void) | undefined;
  let launcher: HTMLElement | undefined;
  const attach = (): void => {
    applyTheme(host, site);
    if (host.isConnected) return;
    // First in the page, so that it has the first keyboard focus. A popover is above any style of the page.
    (document.body ?? document.documentElement).prepend(host);
    host.popover = "manual";
    host.showPopover();
  };
  const rest = (): void => {
    const focused = root.activeElement;
    closeBanner?.();
    if (isEmpty) return;
    attach();
    const position = cookies.settings?.launcher;
    if (!launcher && position !== false) {
      const lang = cookies.language;
      const at = typeof position === "string" ? toPlace({ position }) : place;
      const title = sayIn(site, lang, cookies.strings)("settings");
      // The launcher reopens the choices. Its icon is in the style sheet.
      launcher = element("button", {
        class: `icon ${at === "center" ? "bottom left" : at}`,
        "aria-label": title,
        title,
        lang,
        onclick: () => void ask(true),
      });
      root.append(launcher);
    }
    // After an answer to a non-modal banner the focus moves to the launcher, which replaces it.
    if (focused && document.activeElement === document.body) launcher?.focus();
  };
  /** Loads the preference center; undefined on an error, which is emitted. */
  const loadCenter = () => parts.load("center").catch(emitError) as Promise<Center | undefined>;
  const ask = async (isReopened: boolean): Promise<void> => {
    // Loads newer answers first, so that saving does not restore a consent that was withdrawn elsewhere.
    const isKnown = isReopened && choices.memory.$$token;
    if (isKnown) await usePerson(parts);
    const isAsked = isReopened ? choices.isAsked : choices.isPending;
    const steps = listSteps(cookies, isAsked);
    const isAlone = listChoosing(steps) === steps;
    const center = isReopened || isAlone ? await loadCenter() : undefined;
    closeBanner?.();
    // Without the preference center, the first layer has no choices that could be accepted unread.
    if (!steps[0] || (isAlone && !center && !isReopened)) return;
    attach();
    let ticket: Ticket | undefined;
    closeBanner = openBanner(root, {
      cookies,
      steps,
      center,
      loadCenter,
      sayFor: (step) => sayIn(site, cookies.language, step.strings, cookies.strings),
      chosen: new Map(Object.entries(choices.vendors)),
      isAsked,
      imported: choices.memory.$$imported,
      isReopened,
      isModal: Boolean(overlayStyle?.["background"]),
      note: regional?.toNote() ?? (isOptedOut() && !choices.isAccepting() && "optedOut"),
      regional,
      place,
      iab: tcf,
      onOpen(step) {
        ticket = service.noteDisplay(isReopened ? "" : { identifier, step });
      },
      onAnswer(given) {
        rest();
        answer(given, isAsked, ticket).catch(emitError);
        // Confirms an opt-out; if the page is reloaded, after that.
        if (given && choices.memory.$$confirm) void ask(false);
      },
      onPerson: isKnown && (({ target }) => void usePerson(parts, target)),
    });
    emit("shown", { identifier });
  };
  return { ask, rest };
}
