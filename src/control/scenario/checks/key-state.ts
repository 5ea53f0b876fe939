import { maxDuration, parseDuration } from '../../../base/time/duration.ts'
import { defaultBanSettings } from '../../../service/bans/settings.ts'
import { showValue } from '../../files/show.ts'
import type { KeyFields, ScenarioFile } from '../file.ts'
import type { Objection } from './objection.ts'

/** How a key stands at the start must be something that calls can have led to. */
export function checkStanding(
  file: ScenarioFile,
  keys: ReadonlyMap<string, KeyFields>,
): readonly Objection[] {
  return [...keys].flatMap(([name, key]) => [
    ...checkUsed(name, key),
    ...checkBanned(name, key, file),
    ...checkStrikes(name, key, file),
  ])
}

/** Both windows open with the same call (A05). */
function checkUsed(name: string, { used }: KeyFields): readonly Objection[] {
  const { minute, day } = used ?? {}
  if (typeof minute !== 'number' || typeof day !== 'number' || day >= minute) return []
  return [
    {
      path: ['keys', name, 'used'],
      message: `the calls of this minute are calls of this day, too: expected a day of at least ${minute}, found ${day}`,
    },
  ]
}

function checkBanned(name: string, { banned }: KeyFields, { bans }: ScenarioFile): readonly Objection[] {
  if (typeof banned !== 'string' || bans !== 'off') return []
  return [
    {
      path: ['keys', name, 'banned'],
      message: 'nobody is banned with bans: off: remove banned, or bans: off',
    },
  ]
}

function checkStrikes(name: string, key: KeyFields, { bans }: ScenarioFile): readonly Objection[] {
  if (bans === 'off' || typeof key.banned === 'string') return []
  const after = bans?.after ?? defaultBanSettings.after
  const strikes = key.strikes ?? 0
  if (strikes < after) return []
  return [
    {
      path: ['keys', name, 'strikes'],
      message: `a key with ${after} refused calls is banned (bans.after): expected fewer, or how long it is still banned, such as banned: 90s`,
    },
  ]
}

/** On a slow clock a ban takes its client longer than it is: it must end in a year of four digits all the same (A08). */
export function checkPace(file: ScenarioFile, keys: ReadonlyMap<string, KeyFields>): readonly Objection[] {
  const { clock } = file
  if (clock?.frozen === true) return []
  const scale = clock?.scale ?? 1
  const bans = file.bans === 'off' ? undefined : file.bans
  const lengths = [
    [['bans', 'for'], bans?.for],
    [['bans', 'escalate', 'max'], bans?.escalate?.max],
    ...[...keys].map(([name, { banned }]) => [['keys', name, 'banned'], banned] as const),
  ] as const
  return lengths.flatMap(([path, length]) => {
    if ((parseDuration(length ?? '') ?? 0) / scale <= maxDuration) return []
    return [{ path, message: `on a clock of scale ${scale}, ${showValue(length)} is more than 100 years` }]
  })
}
