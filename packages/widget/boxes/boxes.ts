import { openStoredAnswers } from "./stored.ts";
import { type OpenBox, findBox } from "./box.ts";
import { openConsentBox } from "./consent-box.ts";
import { openContractBox } from "./contract-box.ts";
import { emitError } from "../page/events.ts";
import { delaySubmissions } from "./submissions.ts";
import type { Boxes, PageContext } from "../banner/features.ts";
import { openEmbeds } from "../embeds/embeds.ts";
import { sayIn } from "../core/words.ts";

/**
 * Shows the page's boxes, which are elements with `data-avow="processing:ID"` or `data-avow="contract:ID"`, and placeholders
 * of frames.
 */
export function openBoxes(context: PageContext): Boxes {
  const { site, wanted } = context;
  const answers = openStoredAnswers(context);
  const unknown = new WeakSet<HTMLElement>();
  let opened: OpenBox[] = [];
  const open = (place: HTMLElement): OpenBox => {
    const { collection, box } = findBox(site, wanted, place.dataset["avow"] ?? "");
    const { identifier, language, strings } = box;
    const onAnswered = (): void => {
      for (const one of opened) if (one.identifier === identifier) one.refresh();
    };
    const say = sayIn(site, language, strings);
    const boxContext = { context, answers, place, collection, box, say, onAnswered };
    return collection === "contracts" ? openContractBox(boxContext) : openConsentBox(boxContext);
  };
  delaySubmissions(() => opened);
  const embeds = openEmbeds(context);
  return {
    fill() {
      embeds.fill();
      opened = opened.filter(({ host, place }) => host.isConnected && host.parentNode === place);
      const filled = new Set(opened.map(({ place }) => place));
      for (const place of document.querySelectorAll<HTMLElement>("[data-avow]")) {
        if (filled.has(place) || unknown.has(place)) continue;
        try {
          opened.push(open(place));
        } catch (error) {
          unknown.add(place);
          emitError(error);
        }
      }
    },
  };
}
