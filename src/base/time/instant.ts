const day = '(0[1-9]|[12][0-9])'
const monthAndDay = `(02-${day}|(0[469]|11)-(${day}|30)|(0[13578]|1[02])-(${day}|3[01]))`
const time = '([01][0-9]|2[0-3]):[0-5][0-9]'
const timeAndZone = `[Tt]${time}:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]${time})`

/** The texts that parseInstant reads, for a JSON Schema. It accepts 29 February of any year. */
export const instantPattern = `^[0-9]{4}-${monthAndDay}(${timeAndZone})?$`

const instant = new RegExp(instantPattern)

/**
 * The instant in ms of an RFC 3339 date-time, cut to whole ms, or of the start of a date in UTC. Undefined for anything
 * else, such as impossible dates, leap seconds and years beyond 9999 in UTC.
 */
export function parseInstant(text: string): number | undefined {
  if (!instant.test(text)) return undefined
  const date = text.slice(0, 10)
  // Engines read an impossible 29 February as 1 March.
  if (new Date(Date.parse(date)).getUTCDate() !== Number(date.slice(8))) return undefined
  // ECMAScript defines Date.parse for three digits of a fraction, and for upper case.
  const ms = Date.parse(
    text.toUpperCase().replace(/\.[0-9]+/, fraction => fraction.padEnd(4, '0').slice(0, 4)),
  )
  // With its offset, a date may be in a year that formatInstant cannot write.
  return ms >= firstInstant && ms <= lastInstant ? ms : undefined
}

const firstInstant = Date.parse('0000-01-01')
const lastInstant = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * An instant in ms as `2030-12-05T00:00:00Z`, with `.123` if it is not a whole second. parseInstant does not read years
 * beyond 9999. Throws a RangeError beyond ±8.64e15 ms.
 */
export function formatInstant(ms: number): string {
  return new Date(Math.floor(ms)).toISOString().replace('.000Z', 'Z')
}

/** An instant in ms, floored to a second: `Thu, 05 Dec 2030 00:00:00 GMT` (RFC 9110, section 5.6.7). */
export function httpDate(ms: number): string {
  // ECMAScript defines toUTCString to write exactly this form for the years 0 to 9999.
  return new Date(Math.floor(ms / 1000) * 1000).toUTCString()
}

export const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** `Sunday, 06-Nov-94 08:49:37 GMT`: obsolete. */
export function rfc850Date(ms: number): string {
  const date = new Date(ms)
  const [, day = '', name = '', year = '', clock = ''] = date.toUTCString().split(' ')
  return `${days[date.getUTCDay()]}, ${day}-${name}-${year.slice(-2)} ${clock} GMT`
}

/** `Sun Nov  6 08:49:37 1994`: obsolete. It has no zone, and means UTC. */
export function asctimeDate(ms: number): string {
  const [weekday = '', day = '', name = '', year = '', clock = ''] = new Date(ms).toUTCString().split(' ')
  return `${weekday.slice(0, 3)} ${name} ${day.replace(/^0/, ' ')} ${clock} ${year}`
}
