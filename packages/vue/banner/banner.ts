import { defineComponent, h } from "vue";
import { useConsent } from "../consent/use-consent.ts";
import { OfferDialog } from "./dialog.ts";

/**
 * The published banner, while an answer is missing. Accept and refuse look alike and take one click each. Put it first in the
 * page, so that it has the first keyboard focus.
 */
export const ConsentBanner = defineComponent({
  name: "ConsentBanner",
  setup() {
    const { state } = useConsent();
    return () =>
      state.value.view === "banner" ? h(OfferDialog, { kind: "banner", key: "banner" }) : undefined;
  },
});
