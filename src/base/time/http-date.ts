import { days } from './instant.ts'

/*
 * Reads the three forms of a date in HTTP (RFC 9110, section 5.6.7). Recipients must read the two obsolete forms, too. What
 * writes them is in instant.ts: a call may need it.
 */

export type HttpDateForm = 'imf-fixdate' | 'rfc850-date' | 'asctime-date'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const time = '(?<time>(?:[01][0-9]|2[0-3]):[0-5][0-9]:(?:[0-5][0-9]|60))'
const month = `(?<month>${months.join('|')})`
const shortDay = `(?:${days.map(day => day.slice(0, 3)).join('|')})`

const patterns: readonly (readonly [HttpDateForm, RegExp])[] = [
  ['imf-fixdate', new RegExp(`^${shortDay}, (?<day>[0-9]{2}) ${month} (?<year>[0-9]{4}) ${time} GMT$`)],
  [
    'rfc850-date',
    new RegExp(`^(?:${days.join('|')}), (?<day>[0-9]{2})-${month}-(?<year>[0-9]{2}) ${time} GMT$`),
  ],
  ['asctime-date', new RegExp(`^${shortDay} ${month} (?<day>[0-9]{2}| [0-9]) ${time} (?<year>[0-9]{4})$`)],
]

/**
 * Reads a date, which is always UTC: `ms` since the epoch, and the form. `now` decides the century of two digits: a year more than
 * 50 years ahead is in the past. The name of the day is not compared.
 */
export function readHttpDate(
  text: string,
  now: number,
): { readonly ms: number; readonly form: HttpDateForm } | undefined {
  for (const [form, pattern] of patterns) {
    const { day = '', month: name = '', year = '', time: clock = '' } = pattern.exec(text)?.groups ?? {}
    if (clock === '') continue
    const whole = year.length === 2 ? wholeYear(Number(year), now) : Number(year)
    const date = new Date(0)
    // Unlike Date.UTC, it takes years below 100 as they are.
    date.setUTCFullYear(whole, months.indexOf(name), Number(day))
    if (date.getUTCDate() !== Number(day)) return undefined
    const [hours = 0, minutes = 0, seconds = 0] = clock.split(':').map(Number)
    return { ms: date.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1_000, form }
  }
  return undefined
}

function wholeYear(year: number, now: number): number {
  const present = new Date(now).getUTCFullYear()
  const next = present - (present % 100) + year + (year < present % 100 ? 100 : 0)
  return next > present + 50 ? next - 100 : next
}
