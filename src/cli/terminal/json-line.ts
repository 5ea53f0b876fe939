import { escapeInJson } from '../../base/text/invisible.ts'

/** One line of JSON. It also escapes invisible characters that JSON allows, and terminals interpret. */
export function jsonLine(value: unknown): string {
  return escapeInJson(JSON.stringify(value))
}
