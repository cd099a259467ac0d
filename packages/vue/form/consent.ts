import type { ConsentForm, FormAnswer, FormConfirmation } from "@avow/widget/headless";
import { type PropType, defineComponent, h, ref, useId, useTemplateRef } from "vue";
import { useTheme } from "../look/appearance.ts";
import { toMessage } from "../look/message.ts";
import { useConsent } from "../consent/use-consent.ts";
import { useAnswering } from "./answering.ts";
import { toFacts } from "./facts.ts";
import { toAnswer, toButton, toFrame } from "./frame.ts";

/** A consent form: it asks, and then shows the answer with buttons to change and to withdraw it. */
export const ConsentQuestion = defineComponent({
  name: "AvowConsentQuestion",
  props: { form: { type: Object as PropType<ConsentForm>, required: true } },
  setup(props) {
    const { state } = useConsent();
    const id = useId();
    const frame = useTemplateRef<HTMLElement>("frame");
    useTheme(
      () => frame.value,
      () => state.value.appearance,
    );
    const { held, isBusy, hasFailed, noteDisplay, answer, focus } = useAnswering(
      () => props.form,
      () => frame.value,
    );
    const isChanging = ref(false);
    const give = async (accept: boolean, value?: unknown): Promise<void> => {
      if (!(await answer(accept, value))) return;
      isChanging.value = false;
      await focus(".avow-state");
    };
    const change = async (): Promise<void> => {
      isChanging.value = true;
      noteDisplay();
      await focus(".avow-button");
    };
    return () => {
      const { form } = props;
      const { configuration, choices, say } = form;
      const shared = { form, id, state, isBusy: isBusy.value, hasFailed: hasFailed.value };
      if (!held.value || isChanging.value)
        return toFrame(shared, [
          h("div", { class: "avow-message" }, toMessage(configuration.message)),
          ...toFacts(form),
          h(
            "div",
            { class: "avow-foot" },
            choices.map(({ text, accept, value }) => toButton(text, () => give(accept, value))),
          ),
        ]);
      const screen = findConfirmation(configuration.confirmations, held.value);
      return toFrame({ ...shared, title: screen?.title || undefined }, [
        h("div", { class: "avow-message" }, toMessage(screen?.message)),
        toAnswer(form, held.value),
        h("div", { class: "avow-foot" }, [
          toButton(screen?.backButtonText || say("change"), change, "avow-plain"),
          held.value.accept ? toButton(say("withdraw"), () => give(false), "avow-plain") : null,
        ]),
      ]);
    };
  },
});

const names = {
  accepted: ["accept", "accepted", "yes", "true"],
  refused: ["refuse", "refused", "reject", "no", "false"],
  withdrawn: ["withdraw", "withdrawn"],
};

/** The confirmation screen of an answer, by its name. */
function findConfirmation(
  screens: Readonly<Record<string, FormConfirmation>> = {},
  { accept, isWithdrawn }: FormAnswer,
): FormConfirmation | undefined {
  const refused = [...(isWithdrawn ? names.withdrawn : []), ...names.refused];
  return (accept ? names.accepted : refused).map((name) => screens[name]).find(Boolean);
}
