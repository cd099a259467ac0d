import { delaySubmissions } from "@avow/widget/browser";
import type { ConsentForm } from "@avow/widget/headless";
import {
  type PropType,
  computed,
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  ref,
  useId,
  useTemplateRef,
} from "vue";
import { useTheme } from "../look/appearance.ts";
import { toLink, toMessage } from "../look/message.ts";
import { useConsent } from "../consent/use-consent.ts";
import { useAnswering } from "./answering.ts";
import { toAnswer, toButton, toFrame } from "./frame.ts";

/**
 * A contract form: its document and a checkbox, never ticked by default. In a form the tick is saved on submission, otherwise
 * at once.
 */
export const ContractTick = defineComponent({
  name: "AvowContractTick",
  props: { form: { type: Object as PropType<ConsentForm>, required: true } },
  setup(props) {
    const { state } = useConsent();
    const id = useId();
    const frame = useTemplateRef<HTMLElement>("frame");
    const tick = useTemplateRef<HTMLInputElement>("tick");
    useTheme(
      () => frame.value,
      () => state.value.appearance,
    );
    const { held, isBusy, hasFailed, answer, focus } = useAnswering(
      () => props.form,
      () => frame.value,
    );
    const grant = computed(() => props.form.choices.find(({ accept }) => accept));
    const isInForm = ref(false);
    let isSaved = false;
    const isUnsaved = (): boolean => !isSaved && tick.value?.checked === true;
    const save = async (): Promise<boolean> => {
      if (!isUnsaved()) return true;
      isSaved = await answer(true, grant.value?.value);
      return isSaved;
    };
    const withdraw = async (): Promise<void> => {
      if (!(await answer(false))) return;
      isSaved = false;
      if (tick.value) tick.value.checked = false;
      await focus(".avow-state");
    };
    const onChange = async (): Promise<void> => {
      tick.value?.setCustomValidity("");
      if (isInForm.value) {
        isSaved = false;
      } else if ((await save()) && isSaved) {
        await focus(".avow-state");
      }
    };
    let stop: (() => void) | undefined;
    onMounted(() => {
      const host = frame.value;
      if (!host?.closest("form")) return;
      isInForm.value = true;
      stop = delaySubmissions(() => [{ host, place: host, isUnsaved, save }]);
    });
    onBeforeUnmount(() => stop?.());
    return () => {
      const { form: published } = props;
      const { configuration, say } = published;
      const { message, file = "", name, idRequired } = configuration;
      const value = grant.value?.value;
      const isDone = !isInForm.value && held.value?.accept === true;
      const shared = {
        form: published,
        id,
        state,
        isBusy: isBusy.value,
        hasFailed: hasFailed.value,
      };
      return toFrame(shared, [
        h("div", { class: "avow-message" }, toMessage(message)),
        /^https?:/i.test(file) ? h("p", [toLink(file, say("openFile"))]) : null,
        isDone
          ? null
          : h("label", { class: "avow-tick" }, [
              h("input", {
                ref: "tick",
                type: "checkbox",
                name: name || undefined,
                value: typeof value === "string" && value ? value : "on",
                required: idRequired,
                onChange,
                onInvalid: () => tick.value?.setCustomValidity(say("required")),
              }),
              h("span", grant.value?.text ?? say("accept")),
            ]),
        held.value ? toAnswer(published, held.value) : null,
        held.value?.accept
          ? h("div", { class: "avow-foot" }, [toButton(say("withdraw"), withdraw, "avow-plain")])
          : null,
      ]);
    };
  },
});
