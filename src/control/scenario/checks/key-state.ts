import { maxDuration, parseDuration } from '../../../base/time/duration.ts'
import type { KeyFields } from '../../../generated/scenario-fields.ts'
import { type Problem, problemIf } from '../../fields/problem.ts'
import { showValue } from '../../files/show.ts'
import type { ScenarioFile } from '../file.ts'
import { banFields } from '../settings/behaviour.ts'
import { clock as clockMap } from '../settings/world.ts'

type Keys = ReadonlyMap<string, KeyFields>

/** The strikes that ban a key; undefined: bans are off. */
export function banAfter({ bans }: ScenarioFile): number | undefined {
  return bans === 'off' ? undefined : (bans?.after ?? banFields.fields.after.default)
}

export function checkStanding(file: ScenarioFile, keys: Keys): readonly Problem[] {
  const after = banAfter(file)
  return [...keys].flatMap(([name, key]) =>
    checkKeyState(key, after).map(({ path, message }) => ({ path: ['keys', name, ...path], message })),
  )
}

/** A key must start in a state that calls can lead to. `after`: see `banAfter`. */
export function checkKeyState(key: KeyFields, after: number | undefined): readonly Problem[] {
  return [...checkUsed(key), ...checkBanned(key, after), ...checkStrikes(key, after)]
}

/** Both windows open with the same call (A05). */
function checkUsed({ used }: KeyFields): readonly Problem[] {
  const { minute, day } = used ?? {}
  if (typeof minute !== 'number' || typeof day !== 'number' || day >= minute) return []
  const message = `the calls of this minute count for the day too: expected day to be at least ${minute}, found ${day}`
  return [{ path: ['used'], message }]
}

function checkBanned({ banned }: KeyFields, after: number | undefined): readonly Problem[] {
  const message = 'bans are off, so no key can be banned: remove banned, or "bans: off"'
  return problemIf(typeof banned === 'string' && after === undefined, ['banned'], message)
}

function checkStrikes({ banned, strikes }: KeyFields, after: number | undefined): readonly Problem[] {
  if (after === undefined || typeof banned === 'string') return []
  const message = `a key with ${after} refused calls is banned (bans.after): expected fewer strikes, or the time left of its ban, such as banned: 90s`
  return problemIf((strikes ?? 0) >= after, ['strikes'], message)
}

/** On a slow clock a ban lasts longer for its client. It must still end in a year of four digits (A08). */
export function checkPace({ clock, bans }: ScenarioFile, keys: Keys): readonly Problem[] {
  if (clock?.frozen === true) return []
  const scale = clock?.scale ?? clockMap.fields.scale.default
  const own = bans === 'off' ? undefined : bans
  const lengths = [
    [['bans', 'for'], own?.for],
    [['bans', 'escalate', 'max'], own?.escalate?.max],
    ...[...keys].map(([name, { banned }]) => [['keys', name, 'banned'], banned] as const),
  ] as const
  return lengths.flatMap(([path, length]) => {
    const isTooLong = (parseDuration(length ?? '') ?? 0) / scale > maxDuration
    return problemIf(
      isTooLong,
      path,
      `on a clock of scale ${scale}, ${showValue(length)} is more than 100 years`,
    )
  })
}
