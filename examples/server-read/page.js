/** A page that is right before any script runs: only accepted vendors are in it. */
export function renderPage({ isAccepted, state }) {
  return `<!doctype html>
<html lang="en">
  <title>Hearth &amp; Clay</title>
  <h1>Hearth &amp; Clay</h1>
  <p>${isAccepted("stats") ? "For you: three bowls." : "Bestsellers: three bowls."}</p>
  ${isAccepted("video") ? '<iframe src="https://video.example/film" title="A film"></iframe>' : ""}
  <p>${state.isAnswered ? "You have answered." : "You have not answered yet."}</p>
</html>
`;
}
