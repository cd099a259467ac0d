/** Calls once when any of an element is in view. */
export function whenSeen(element: Element, then: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    then();
  });
  observer.observe(element);
}

/** Calls each time that a pointer or the keyboard comes to an element. */
export function whenReached(element: Element, then: () => void): void {
  element.addEventListener("pointerenter", then);
  element.addEventListener("focusin", then);
}
