import { type Fixtures, shippedFixtures } from '../../../control/fixtures/fixtures.ts'
import type { ScenarioFile } from '../../../control/scenario/file.ts'
import { settleChecked } from '../../../control/scenario/settle/settle.ts'
import type { Begin } from '../rehearsal.ts'
import { callsIn, isLimited } from './meeting.ts'

/** A situation for a client that makes `calls` calls when nothing disturbs it: a scenario may begin in the middle of them. */
export function fitSituation(
  file: ScenarioFile,
  calls: number,
  fixtures: Fixtures = shippedFixtures,
): { readonly file: ScenarioFile; readonly begins: Begin | undefined } {
  const own = ownWindows(file, fixtures)
  const declared = Math.min(
    isLimited(file) ? own.left : Number.POSITIVE_INFINITY,
    ...(file.events ?? []).map(({ after, key = own.key }) => (key === own.key ? callsIn(after) : Infinity)),
    ...(file.rules ?? []).map(({ when }) => callsIn(when?.after)),
  )
  // At least one call succeeds before, so that the client sees the change.
  const after = Math.max(1, Math.floor(calls / 2))
  if (file.rehearsal?.begins !== 'middle' || !Number.isFinite(declared) || declared <= after)
    return { file, begins: undefined }
  return { file: earlier(file, declared - after, own), begins: { after, declared, calls } }
}

/** The windows of the client's key at the start. */
function ownWindows(file: ScenarioFile, fixtures: Fixtures) {
  const { key, keys } = settleChecked('', { ...file, pets: { count: 0 } }, fixtures)
  const { used = { minute: 0, day: 0 }, quota = { minute: Infinity, day: Infinity } } = keys.get(key) ?? {}
  return { key, used, left: Math.min(quota.minute - used.minute, quota.day - used.day) }
}

/** A scenario as if the client had made some calls already. */
function earlier(file: ScenarioFile, by: number, { key, used }: ReturnType<typeof ownWindows>): ScenarioFile {
  const { keys, events, rules } = file
  const sooner = <T extends string | number>(after: T) => (callsIn(after) > by ? callsIn(after) - by : after)
  return {
    ...file,
    ...(isLimited(file) && {
      keys: { ...keys, [key]: { ...keys?.[key], used: { minute: used.minute + by, day: used.day + by } } },
    }),
    ...(events && { events: events.map(event => ({ ...event, after: sooner(event.after) })) }),
    ...(rules && {
      rules: rules.map(rule =>
        rule.when?.after === undefined
          ? rule
          : { ...rule, when: { ...rule.when, after: sooner(rule.when.after) } },
      ),
    }),
  }
}
