import { computed, defineComponent, h, onMounted, watch } from "vue";
import { useConsent } from "../use-consent.ts";
import { OfferDialog } from "./dialog.ts";

/**
 * The published banner, while an answer is missing. Accept and refuse look alike and take one click each. Put it first in the
 * page, so that it has the first keyboard focus. A configuration by IAB's TCF needs the widget, or an interface of your own.
 */
export const ConsentBanner = defineComponent({
  name: "ConsentBanner",
  setup() {
    const { state } = useConsent();
    const isTcf = computed(
      () => state.value.offer?.steps.some(({ layout }) => layout === "iab") === true,
    );
    onMounted(() => {
      const report = (isOn: boolean): void => {
        if (isOn) reportError(new Error("Avow: @avow/vue has no banner for IAB TCF."));
      };
      watch(isTcf, report, { immediate: true });
    });
    return () =>
      state.value.view === "banner" && !isTcf.value
        ? h(OfferDialog, { kind: "banner", key: "banner" })
        : undefined;
  },
});
