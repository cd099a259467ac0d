/** A placeholder needs at least this much in both directions, px. */
const SIZE_MIN = 50;
/** Properties that decide where an element is, and not how large. */
const properties = [
  "position",
  "inset",
  "margin",
  "float",
  "grid-area",
  "flex",
  "align-self",
  "justify-self",
  "order",
  "z-index",
  "border-radius",
];

/** Whether a frame is in the page and large enough to be seen. */
export function isVisible({ offsetWidth, offsetHeight }: HTMLIFrameElement): boolean {
  return offsetWidth >= SIZE_MIN && offsetHeight >= SIZE_MIN;
}

/**
 * Puts an element in the place of a frame, with its size, and hides the frame. In the flow of the page the element is
 * higher if its content needs it. Returns a function that shows the frame again.
 */
export function takePlace(host: HTMLElement, frame: HTMLIFrameElement): () => void {
  const style = getComputedStyle(frame);
  const { offsetWidth, offsetHeight, parentElement } = frame;
  const set = (name: string, value: string): void => host.style.setProperty(name, value);
  for (const name of properties) set(name, style.getPropertyValue(name));
  // The same width as the text around it: then it follows the page's width, as such a frame does.
  const isFull = parentElement !== null && offsetWidth >= toContentWidth(parentElement) - 1;
  set("width", isFull ? "100%" : `${offsetWidth}px`);
  set("max-width", "100%");
  set("box-sizing", "border-box");
  const isFlowing = /static|relative|sticky/.test(style.position);
  if (isFlowing) set("min-height", `${offsetHeight}px`);
  // Its height is fixed by its surroundings, so that the style sheet can adapt the content.
  else set("container-type", "size");
  const display = frame.style.getPropertyValue("display");
  const priority = frame.style.getPropertyPriority("display");
  frame.style.setProperty("display", "none", "important");
  frame.after(host);
  return () => {
    host.remove();
    frame.style.setProperty("display", display, priority);
  };
}

function toContentWidth(element: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
}
