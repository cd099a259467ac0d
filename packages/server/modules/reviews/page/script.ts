/**
 * The only script of the page: it shows banners by the preview page of the admin app, in sandboxed frames, which ask for
 * the draft by a message. Without it, everything else works.
 */
export const script = `
const draft = JSON.parse(document.getElementById("draft").textContent);
document.getElementById("no-preview")?.remove();
for (const frames of document.querySelectorAll(".frames")) frames.hidden = false;
for (const box of document.querySelectorAll(".frames > div")) {
  const frame = document.createElement("iframe");
  frame.title = box.dataset.title;
  frame.loading = "lazy";
  frame.setAttribute("sandbox", "allow-scripts");
  addEventListener("message", ({ source, data }) => {
    if (source !== frame.contentWindow || data !== "avow-preview-ready") return;
    const { identifier, scheme } = box.dataset;
    // A sandboxed frame has no origin to name; the message goes to this frame only.
    frame.contentWindow.postMessage({ kind: "cookies", identifier, content: draft, scheme, step: 0 }, "*");
  });
  frame.src = document.body.dataset.preview;
  box.append(frame);
}
`;
