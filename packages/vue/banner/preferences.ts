import { defineComponent, h, nextTick, useTemplateRef, watch } from "vue";
import { toPlace, toStyle, useTheme } from "../look/appearance.ts";
import { useConsent } from "../consent/use-consent.ts";
import { OfferDialog } from "./dialog.ts";

/**
 * All choices of the visitor, opened by `show()`, and a button that opens it: to withdraw a consent must be as easy as to give
 * it. `launcher` false hides the button, for a page with a link of its own.
 */
export const PreferenceCenter = defineComponent({
  name: "PreferenceCenter",
  props: {
    launcher: { type: Boolean, default: true },
  },
  setup(props) {
    const { state, show } = useConsent();
    const button = useTemplateRef<HTMLElement>("button");
    useTheme(
      () => button.value,
      () => state.value.appearance,
    );
    // The launcher replaces a dialog that had the focus.
    watch(
      () => state.value.view,
      async (view) => {
        const wasInside = document.activeElement?.closest(".avow-dialog");
        await nextTick();
        if (view === "closed" && wasInside && document.activeElement === document.body)
          button.value?.focus();
      },
    );
    const open = (): void => {
      // The state has the error of a project that cannot be loaded.
      show("preferences").catch(() => undefined);
    };
    return () => {
      const { view, offer, appearance } = state.value;
      // IAB's TCF has an interface of its own.
      if (!offer?.steps[0] || offer.steps.some(({ layout }) => layout === "iab")) return undefined;
      if (view === "preferences")
        return h(OfferDialog, { kind: "preferences", key: "preferences" });
      const { launcher: position } = offer.configuration.settings ?? {};
      if (view === "banner" || !props.launcher || position === false) return undefined;
      const place = typeof position === "string" ? position : appearance.position;
      return h("button", {
        ref: "button",
        type: "button",
        class: ["avow", "avow-launcher", ...toPlace(place === "center" ? "bottom-left" : place)],
        lang: offer.language,
        dir: offer.direction,
        style: toStyle(appearance),
        title: offer.say("settings"),
        "aria-label": offer.say("settings"),
        onClick: open,
      });
    };
  },
});
