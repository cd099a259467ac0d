export function findBreachesOfText(text: string): string[];
export function findBreachesOfTestName(name: string): string[];
export function findBreachesOfName(name: string): string[];
export function findBreachesOfType(name: string): string[];
