/** Calls `then` once, when part of the element is in the viewport. */
export function whenSeen(element: Element, then: () => void): void {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    then();
  });
  observer.observe(element);
}

/** Calls `then` each time that a pointer or the focus enters the element. */
export function whenReached(element: Element, then: () => void): void {
  element.addEventListener("pointerenter", then);
  element.addEventListener("focusin", then);
}
