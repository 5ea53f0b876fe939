import { escapeInJson } from '../../base/text/invisible.ts'

/** One line of JSON. It also escapes invisible characters that JSON allows, and terminals interpret. */
export function jsonLine(value: object): string {
  return escapeInJson(JSON.stringify(value))
}
