// Files whose names begin with _ are no documents: texts and functions that several files share.
export const introduction =
  "<p>The shop works without the services that follow. They stay off until you accept them.</p>";
