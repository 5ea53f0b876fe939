import { wordsOf } from './seen-call.ts'

/** What looks like an e-mail, a URL, an address, a uuid, a token or a key. */
const looks = [
  /\S@\S/,
  /\w:\/\//,
  /\b\d{1,3}(?:\.\d{1,3}){3}\b/,
  /(?:[0-9a-f]{0,4}:){3}/i,
  /[0-9a-f]{8}-[0-9a-f]{4}-/i,
  /\b(?=[a-z0-9_]*\d)(?=[a-z0-9_]*[a-z])[a-z0-9_]{12,}\b/i,
  /\b[\w+/=-]{32,}/,
  /\d{9,}/,
  /\b(?:sk|pk|key|token|ghp|gho|glpat|xox[a-z])[-_][\w-]{4,}/i,
  /\beyJ[\w-]+/,
]

/** Whether a text may hold something of a client or of the service's data. `sent`: what clients sent. */
export function isPrivate(text: string, sent: ReadonlySet<string>): boolean {
  return looks.some(pattern => pattern.test(text)) || wordsOf(text).some(word => sent.has(word))
}
