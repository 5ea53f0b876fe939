import { parseRetryAfter } from '../../base/time/retry-after.ts'
import type { Reply } from '../../service/call/call.ts'
import { clip } from '../../service/call/echo.ts'
import { replyHeader } from '../../service/call/headers.ts'

/** The value of `Retry-After`; several lines as one, with commas (RFC 9110, section 5.3). */
export function retryAfterText({ headers }: Pick<Reply, 'headers'>): string | undefined {
  const lines: string[] = []
  for (const [name, value] of Object.entries(headers))
    if (name.length === 'retry-after'.length && name.toLowerCase() === 'retry-after') lines.push(value)
  return lines.length === 0 ? undefined : lines.join(', ')
}

/** Reads the wait of a reply in milliseconds. Two lines say nothing: their value is neither seconds nor a date. */
export function retryAfterMs(reply: Pick<Reply, 'headers'>): number | undefined {
  const text = retryAfterText(reply)
  return text === undefined ? undefined : parseRetryAfter(text, replyHeader(reply, 'date')).ms
}

const dates = {
  'imf-fixdate': 'an IMF-fixdate',
  'rfc850-date': 'an RFC 850 date, which is obsolete but valid',
  'asctime-date': 'an asctime date, which is obsolete but valid, and UTC',
} as const

const longestText = 60

/**
 * A clause that says how a `Retry-After` was written, if a client may have failed to read it. Empty for whole seconds, which
 * every client reads.
 */
export function describeForm(text: string | undefined): string {
  const what = formOf(text)
  return what === '' ? '' : `; Retry-After was ${what}`
}

function formOf(text: string | undefined): string {
  if (text === undefined) return 'missing'
  const { form, ms } = parseRetryAfter(text)
  const shown = clip(text, longestText)
  if (form === 'seconds') return ms === undefined ? `a number of ${text.length} digits` : ms === 0 ? '0' : ''
  return form === 'other' ? `neither whole seconds nor a date of HTTP: ${shown}` : `${dates[form]}: ${shown}`
}
