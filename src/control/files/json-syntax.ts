import { scanJson } from '../../base/json/read.ts'
import { placeInText } from '../../base/json/scan.ts'
import type { Place } from './document.ts'

/** What makes a text no JSON, and where; undefined for one that is. */
export function jsonProblem(text: string): (Place & { readonly message: string }) | undefined {
  const scan = scanJson(text)
  if (scan.value !== undefined) return undefined
  return { ...placeInText(text, scan.at), message: `${scan.problem}: this is not JSON${hint(text, scan.at)}` }
}

/** What other notations have, and JSON has not. */
function hint(text: string, at: number): string {
  const found = text.charAt(at)
  if (found === '/' || found === '#') return ', which has no comments'
  if (/[\]}]/.test(found) && /,\s*$/.test(text.slice(0, at))) return ', where no comma follows the last item'
  if (/['\w]/.test(found) && /[{,:[]\s*$/.test(text.slice(0, at)))
    return ', where names and texts stand in double quotes'
  return ''
}
