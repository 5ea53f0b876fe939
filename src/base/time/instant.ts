const day = '(0[1-9]|[12][0-9])'
const monthAndDay = `(02-${day}|(0[469]|11)-(${day}|30)|(0[13578]|1[02])-(${day}|3[01]))`
const time = '([01][0-9]|2[0-3]):[0-5][0-9]'
const timeAndZone = `[Tt]${time}:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]${time})`

/** The texts that parseInstant reads, for a JSON Schema; 29 February it cannot judge. */
export const instantPattern = `^[0-9]{4}-${monthAndDay}(${timeAndZone})?$`

const instant = new RegExp(instantPattern)

/**
 * The instant in ms of an RFC 3339 date-time (what is finer than a ms is cut off), or of the start of a date
 * in UTC. Undefined for anything else, impossible dates and leap seconds among them.
 */
export function parseInstant(text: string): number | undefined {
  if (!instant.test(text)) return undefined
  const date = text.slice(0, 10)
  // Engines make 1 March of an impossible 29 February.
  if (new Date(Date.parse(date)).getUTCDate() !== Number(date.slice(8))) return undefined
  // Date.parse is defined for exactly three digits of a fraction, and for upper case.
  return Date.parse(text.toUpperCase().replace(/\.[0-9]+/, fraction => fraction.padEnd(4, '0').slice(0, 4)))
}

/**
 * An instant in ms as `2030-12-05T00:00:00Z`, with `.123` if it is not a whole second. Years beyond 9999 do
 * not read back; beyond ±8.64e15 ms there are none, and it throws a RangeError.
 */
export function formatInstant(ms: number): string {
  return new Date(Math.floor(ms)).toISOString().replace('.000Z', 'Z')
}
