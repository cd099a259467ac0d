import type { ConsentForm } from "@avow/widget/headless";
import { type Ref, computed, nextTick, onBeforeUnmount, onMounted, ref } from "vue";
import { useConsent } from "../consent/use-consent.ts";

/** Maximum age of a display ticket. The service accepts it for 30 minutes, and a form may be open for longer. */
const TICKET_AGE_MS_MAX = 25 * 60_000;

/** The answers to one form: each has a display ticket, and one is sent at a time. */
export function useAnswering(form: () => ConsentForm, find: () => HTMLElement | null) {
  const { state, showForm, answerForm } = useConsent();
  const isBusy = ref(false);
  const hasFailed = ref(false);
  let shownAt = 0;
  const noteDisplay = (): void => {
    if (shownAt && Date.now() - shownAt < TICKET_AGE_MS_MAX) return;
    shownAt = Date.now();
    showForm(form().configuration.identifier);
  };
  useVisibility(find, noteDisplay);
  const answer = async (accept: boolean, value?: unknown): Promise<boolean> => {
    if (isBusy.value) return false;
    isBusy.value = true;
    hasFailed.value = false;
    // A ticket is for one answer, even if it cannot be sent.
    shownAt = 0;
    try {
      await answerForm(form().configuration.identifier, accept, value);
      return true;
    } catch {
      // The form shows it, and the state has the error.
      hasFailed.value = true;
      return false;
    } finally {
      isBusy.value = false;
      noteDisplay();
    }
  };
  const focus = async (selector: string): Promise<void> => {
    await nextTick();
    find()?.querySelector<HTMLElement>(selector)?.focus();
  };
  return {
    held: computed(() => state.value.forms[form().configuration.identifier]),
    isBusy: isBusy as Readonly<Ref<boolean>>,
    hasFailed: hasFailed as Readonly<Ref<boolean>>,
    noteDisplay,
    answer,
    focus,
  };
}

/** Calls `onSeen` when at least half of the element is visible, or it has the focus. */
function useVisibility(find: () => HTMLElement | null, onSeen: () => void): void {
  let observer: IntersectionObserver | undefined;
  onMounted(() => {
    const element = find();
    if (!element) return;
    observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        observer?.disconnect();
        onSeen();
      },
      { threshold: 0.5 },
    );
    observer.observe(element);
    element.addEventListener("focusin", onSeen);
  });
  onBeforeUnmount(() => observer?.disconnect());
}
