import type { ConsentForm as PublishedForm, FormName } from "@avow/widget/headless";
import { type PropType, computed, defineComponent, h, onMounted } from "vue";
import { useConsent } from "../consent/use-consent.ts";
import { ConsentQuestion } from "./consent.ts";
import { ContractTick } from "./contract.ts";

/**
 * A published consent form or contract form, by its name or identifier. A consent is free and saved at once, with buttons to
 * change and withdraw it. A contract is a checkbox that is never ticked by default; in a form it is saved on submission.
 */
export const ConsentForm = defineComponent({
  name: "ConsentForm",
  props: {
    /** The name or the identifier. */
    form: { type: String as PropType<FormName>, required: true },
  },
  setup(props) {
    const { state, getForm, ready } = useConsent();
    const found = computed(() => {
      if (state.value.status !== "ready") return undefined;
      try {
        return getForm(props.form);
      } catch {
        // Reported below, once: a form that is not published must not break the page.
        return undefined;
      }
    });
    onMounted(() => void ready.then(() => getForm(props.form)).catch(reportError));
    return () => (found.value ? toForm(found.value) : undefined);
  },
});

function toForm(form: PublishedForm) {
  const { identifier } = form.configuration;
  return form.collection === "contracts"
    ? h(ContractTick, { form, key: identifier })
    : h(ConsentQuestion, { form, key: identifier });
}
