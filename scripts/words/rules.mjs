// The words that nothing in this repository uses, and how no sentence of it opens. docs/glossary.md has the words to use instead.

/** Openings of a relative clause without a noun. A question may open so. */
const OPENING =
  /^(?:Whoever|Whatever|Whom|Whose|Who|What|Where|Of|So (?:many|often|long|much|few|far as))\b/;
/** The end of a sentence inside a text, before the next one. */
const SENTENCE = /(?<=[.:!?])\s+(?=[A-Z])/;

/** Words, each with the usual one. */
const BANNED = {
  anew: "again",
  meanwhile: "in the meantime, or the time itself",
  mend: "fix, resolve",
  mends: "fixes",
  mended: "fixed",
  mending: "fixing",
  tell: "report, log, notify, return",
  tells: "reports, logs, notifies, returns",
  told: "reported, logged, notified",
  telling: "reporting",
  "for ever": "permanently",
  forever: "permanently",
  whoever: "the user, caller or client that",
  "gave up": "failed",
  "give up": "fail",
  "gives up": "fails",
  "given up": "failed",
  "goes on": "continues, resumes",
  "go on": "continue, resume",
  "went on": "continued, resumed",
  "gone on": "continued, resumed",
  "going on": "continuing",
};
const banned = new RegExp(
  `\\b(?:${Object.keys(BANNED).join("|").replaceAll(" ", "\\s+")})\\b`,
  "gi",
);

/** Types are nouns: these are participles. */
const PARTICIPLES = new Set(
  (
    "Asked Told Given Found Made Looked Known Wanted Said Seen Shown Kept Taken Sent Done Read Held Drawn Written Named Heard " +
    "Counted Chosen Picked Opened Closed Begun Passed Left Met Used Meant Put Set Got Gone Grown Lost Run Built Filled " +
    "Answered Offered Agreed Listed Loaded Parsed Placed Collected Measured Unnumbered Erased Changed Added Removed"
  ).split(" "),
);

/**
 * @param {string} text a comment or a string, without its delimiters
 * @returns {string[]} one message for each breach
 */
export function findBreachesOfText(text) {
  const messages = [];
  for (const sentence of text.trim().split(SENTENCE)) {
    const [opening] = OPENING.exec(sentence) ?? [];
    if (opening && !sentence.includes("?"))
      messages.push(`A sentence opens with “${opening}”: begin with its noun.`);
  }
  for (const [word] of text.matchAll(banned)) {
    const usual =
      BANNED[/** @type {keyof typeof BANNED} */ (word.toLowerCase().replace(/\s+/g, " "))];
    messages.push(`“${word}” is not used here: ${usual}.`);
  }
  return messages;
}

/**
 * @param {string} name of a test
 * @returns {string[]}
 */
export function findBreachesOfTestName(name) {
  return findBreachesOfText(name.charAt(0).toUpperCase() + name.slice(1));
}

/**
 * @param {string} name an identifier
 * @returns {string[]}
 */
export function findBreachesOfName(name) {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase();
  return findBreachesOfText(words);
}

/**
 * @param {string} name of a type
 * @returns {string[]}
 */
export function findBreachesOfType(name) {
  return PARTICIPLES.has(name) ? [`The type “${name}” is a participle: name the noun.`] : [];
}
