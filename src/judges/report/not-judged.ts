/** The note of every judge about what it leaves open. `what`: ids of checks, or how many calls. */
export function notJudged(what: string, reason: string): string {
  return `Not judged (${what}): ${reason}.`
}
