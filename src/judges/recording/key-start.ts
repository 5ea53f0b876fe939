import type { ScenarioFile } from '../../control/scenario/file.ts'
import { type WindowName, windowLengths } from '../../service/limits/limiter.ts'
import {
  findWindow,
  isBanned,
  isLimited,
  type RateReading,
  readRate,
  readRetryAfter,
  type Take,
} from './take.ts'

/** How a key must start, so that its first answers come about. */
export interface KeyStart {
  readonly fields: NonNullable<NonNullable<ScenarioFile['keys']>[string]>
  /** When its window was opened before the recording, in milliseconds: a call then opens it again. */
  readonly openedAt: number | undefined
}

/** A plan for keys whose answers have no limit headers: the least one that allows their calls. */
const callsOfFree = 60

/** `takes`: those of one key, in order. `calendar`: windows open by the calendar, not at a call. */
export function startOf(takes: readonly Take[], calendar: boolean): KeyStart {
  const counted = takes.filter(({ status }) => status !== 401)
  const first = counted.findIndex(take => readRate(take) !== undefined)
  const take = counted[first]
  const reading = take && readRate(take)
  if (take === undefined || reading === undefined) {
    const plan = counted.length > callsOfFree ? 'enterprise' : 'free'
    return { fields: { plan }, openedAt: undefined }
  }
  if (isBanned(take)) return bannedStart(take, reading, counted)
  const { plan, window } = findWindow(reading, take.at)
  const used = usedBefore(counted, first, reading)
  const opened = calendar ? undefined : openedBefore(reading, window, take.at)
  const isOpen = used > 0 && opened !== undefined
  const preset = used - (isOpen ? 1 : 0)
  return {
    fields: {
      plan: plan ?? 'enterprise',
      ...(plan === undefined && {
        limits: { minute: reading.limit, ...(window === 'day' && { day: reading.limit }) },
      }),
      ...(preset > 0 && { used: { [window]: preset, ...dayUse(counted, reading, preset, isOpen) } }),
      ...strikesOf(counted),
    },
    openedAt: isOpen ? opened : undefined,
  }
}

/** Calls of the window before the recording. A refused call uses nothing (A07). */
function usedBefore(takes: readonly Take[], index: number, { limit, remaining }: RateReading): number {
  const accepted = takes.slice(0, index + 1).filter(take => !isLimited(take) && !isBanned(take))
  return Math.max(0, limit - remaining - accepted.length)
}

/** When the window was opened, if that was before the second of a call. */
function openedBefore({ resetsAt }: RateReading, window: WindowName, at: number): number | undefined {
  if (resetsAt === undefined) return undefined
  const openedAt = resetsAt - windowLengths[window]
  return openedAt < at && at < resetsAt ? openedAt : undefined
}

/** Calls of the day, if a later answer describes that window. */
function dayUse(takes: readonly Take[], { limit }: RateReading, preset: number, isOpen: boolean) {
  const index = takes.findIndex(take => {
    const reading = readRate(take)
    return reading !== undefined && reading.limit !== limit && findWindow(reading, take.at).window === 'day'
  })
  const later = takes[index]
  const reading = later && readRate(later)
  if (reading === undefined) return {}
  return { day: Math.max(preset, usedBefore(takes, index, reading) - (isOpen ? 1 : 0)) }
}

/** The tenth refused call in a row is a ban (A10): a ban that comes earlier has earlier refusals. */
function strikesOf(takes: readonly Take[]): { readonly strikes?: number } {
  const refused = takes.findIndex(take => !isLimited(take))
  const end = takes[refused]
  const strikes = usualStrikes - 1 - refused
  return end !== undefined && isBanned(end) && strikes > 0 ? { strikes } : {}
}

const usualStrikes = 10

function bannedStart(take: Take, { limit }: RateReading, takes: readonly Take[]): KeyStart {
  const accepted = takes.find(other => !isBanned(other) && readRate(other) !== undefined)
  const reading = accepted && readRate(accepted)
  // Of a ban, the limit is that of a minute, and the reset is the ban's end.
  const known = reading === undefined ? { limit, remaining: 0, resetsAt: undefined } : reading
  const { plan } = findWindow(known, accepted?.at ?? take.at)
  const wait = readRetryAfter(take)
  return {
    fields: { plan: plan ?? 'free', ...(wait !== undefined && { banned: `${Math.max(1, wait)}s` }) },
    openedAt: undefined,
  }
}

/** Settings of bans that differ from the usual ones (A10). */
export function bansOf(byKey: ReadonlyMap<string, readonly Take[]>): Pick<ScenarioFile, 'bans'> {
  for (const takes of byKey.values()) {
    let refused = 0
    for (const take of takes) {
      if (isLimited(take)) refused += 1
      else if (!isBanned(take)) refused = 0
      else break
      if (refused >= usualStrikes) return { bans: 'off' }
    }
  }
  return {}
}
