import { scanJson } from '../../base/json/read.ts'
import { placeInText } from '../../base/json/scan.ts'
import type { Place } from './complaint.ts'

/** Why a text is not JSON, and where; undefined if it is JSON. */
export function jsonProblem(text: string): (Place & { readonly message: string }) | undefined {
  const scan = scanJson(text)
  if (scan.value !== undefined) return undefined
  return { ...placeInText(text, scan.at), message: `not valid JSON: ${scan.problem}${hint(text, scan.at)}` }
}

/** Names the rule of JSON behind a habit from another notation. */
function hint(text: string, at: number): string {
  const found = text.charAt(at)
  if (found === '/' || found === '#') return '; JSON has no comments'
  if (/[\]}]/.test(found) && /,\s*$/.test(text.slice(0, at))) return '; remove the comma after the last item'
  if (/['\w]/.test(found) && /[{,:[]\s*$/.test(text.slice(0, at)))
    return '; put names and texts in double quotes'
  return ''
}
