import { hasLink } from '../../../service/call/link.ts'
import type { CheckedCall } from '../calls/checked-call.ts'

const hour = 3_600_000
const day = 24 * hour
const start = Date.UTC(2030, 11, 5)

/** 5 December 2030 in any time zone: the specification names none. */
export const removalDay = { from: start - 14 * hour, to: start + day + 12 * hour }

/** Checks what getPet says about its removal. Only the date is specified. */
export function checkDeprecation({ headers, check }: CheckedCall): void {
  const { sunset, link = 'missing' } = headers
  const at = Date.parse(sunset ?? '')
  const isDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(sunset ?? '')
  const isMidnight = sunset === 'Thu, 05 Dec 2030 00:00:00 GMT'
  check('deprecation-sunset', isDate && isMidnight, `Sunset is ${sunset ?? 'missing'}`)
  if (!Number.isNaN(at)) {
    const isDay = at >= removalDay.from && at <= removalDay.to
    check('deprecation-date', isDay, `Sunset is ${sunset}`)
  }
  check('deprecation-successor', hasLink(headers.link, 'successor-version'), `Link is ${link}`)
}
